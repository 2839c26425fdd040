// SPDX-License-Identifier: Apache-2.0
// Times as people of a time zone write them.
'use strict';

/**
 * Returns the zone, or UTC if this browser does not know it: its name, and functions of seconds since 1970. Without a
 * clock, times are dates.
 */
function zoned(zone, hasClock = true) {
  let name = zone || 'UTC';
  const inZone = () => new Intl.DateTimeFormat('sv-SE', {dateStyle: 'short', timeStyle: 'medium', timeZone: name});
  let format;
  try {
    format = inZone();
  } catch {
    name = 'UTC';
    format = inZone();
  }
  const text = (seconds) => format.format(new Date(seconds * 1000));
  return {
    name,
    hasClock,
    date: (seconds) => text(seconds).slice(0, 10),
    clock: (seconds) => text(seconds).slice(11, 16),
    text: (seconds) => (hasClock ? text(seconds).replace(/:00$/, '') : text(seconds).slice(0, 10)),
    toLocal: (seconds) => uPlot.tzDate(new Date(seconds * 1000), name),
  };
}

/** Returns the two ends of a stretch; the date is given once if it is the same. */
function stretchText(zone, from, to) {
  const first = zone.text(from);
  const last = zone.text(to);
  if (first === last) return first;
  return `${first} \u2013 ${zone.date(from) === zone.date(to) ? last.slice(11) : last}`;
}

/** Returns the labels of a time axis: the time or the day, and below it the parts that changed since the previous tick. */
function tickTexts(zone, ticks, step) {
  const hours = zone.hasClock && step < 86400;
  const months = step >= 28 * 86400;
  const upper = (t) => hours ? zone.clock(t) : months ? zone.date(t).slice(0, 7) : zone.date(t).slice(5);
  const lower = (t) => hours ? zone.date(t) : months ? '' : zone.date(t).slice(0, 4);
  const repeats = (t, i) => !zone.hasClock && i > 0 && zone.date(t) === zone.date(ticks[i - 1]);
  return ticks.map((t, i) => (repeats(t, i) ? '' : i === 0 || lower(t) !== lower(ticks[i - 1]) ? `${upper(t)}\n${lower(t)}` : upper(t)));
}
