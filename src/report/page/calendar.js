// SPDX-License-Identifier: Apache-2.0
// The times of the week at which anomalies occur: weekday by hour, or only by weekday if times are dates.
'use strict';

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

function calendarFigure(series, zone, width) {
  const hours = series.has_clock ? 24 : 1;
  const cells = (counts) => counts.filter((n, i) => series.has_clock || i % 24 === 0);  // dates are midnights
  const [rows, anomalies] = [cells(series.calendar_rows), cells(series.calendar_anomalies)];
  const shares = rows.map((n, i) => (n > 0 ? anomalies[i] / n : null));
  const most = Math.max(...shares.map((share) => share ?? 0));
  const left = 36;
  const wide = Math.min(24, Math.max(8, Math.floor((width - left - 10) / hours)));
  const hoursApart = 3 * wide > textWidth('00:00') + 6 ? 3 : 6;
  const parts = shares.map((share, i) => {
    const hour = i % hours;
    const day = Math.floor(i / hours);
    const clock = series.has_clock ? ` ${String(hour).padStart(2, '0')}:00` : '';
    const title = `${weekdays[day]}${clock}: ${grouped.format(anomalies[i])} of ${counted(rows[i], 'row')}`;
    const cell = rectangle(left + hour * wide, 18 + day * 20, wide - 1, 19, share === null ? 'no-rows' : 'share', title);
    if (share !== null) cell.setAttribute('fill-opacity', shareShade(share, most));
    return cell;
  });
  weekdays.forEach((name, day) => parts.push(label(left - 6, 32 + day * 20, name, {anchor: 'end'})));
  for (let hour = 0; hour < hours && series.has_clock; hour += hoursApart) parts.push(label(left + hour * wide, 12, `${String(hour).padStart(2, '0')}:00`));
  const sum = anomalies.reduce((a, b) => a + b, 0);
  const by = series.has_clock ? 'weekday and hour' : 'weekday';
  const sentence = `Share of rows that are anomalies by ${by}, up to ${percentText(most)}; ${counted(sum, 'anomaly', 'anomalies')} in all.`;
  const image = chart(left + hours * wide, 18 + 7 * 20, sentence, parts);
  return figure(`Anomalies by ${by}`, make('div', {}, make('div', {class: 'calendar'}, image), calendarLegend(most)),
                `Share of the rows of each ${series.has_clock ? 'hour' : 'weekday'} that are anomalies, in ${zone.name}; point at a cell for its counts.`);
}

function shareShade(share, most) {
  return share === 0 ? 0 : rounded(0.15 + 0.85 * share / most);
}

function calendarLegend(most) {
  const steps = most > 0 ? [0, 0.25, 0.5, 0.75, 1] : [0];
  const swatches = steps.map((part) => {
    const swatch = rectangle(1, 2, 16, 14, 'share');
    swatch.setAttribute('fill-opacity', shareShade(part * most, most));
    return [swatch, percentText(part * most)];
  });
  swatches.push([rectangle(1, 2, 16, 14, 'no-rows'), 'no rows']);
  return legend(`Shades from 0 % to ${percentText(most)}; dashed cells have no rows.`, swatches);
}
