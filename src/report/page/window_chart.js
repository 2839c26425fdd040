// SPDX-License-Identifier: Apache-2.0
// The window of a series that gave a row its score: its metrics, with the samples before and after it.
'use strict';

/** Returns null for a row that was scored by itself. */
function windowPart(data, row) {
  const {window} = row;
  if (window === null || window.metrics.length === 0) return null;
  const zone = data.series ? zoned(data.series.zone, data.series.has_clock) : null;
  const figures = window.metrics.map((metric) => windowFigure(window, metric, zone));
  const said = `Shaded: the ${counted(window.n_samples, 'sample')} of the window that gave this row its score. The mark is this row.`;
  return make('div', {}, make('h4', {}, 'The window'), make('div', {class: 'figures windows'}, figures), make('p', {class: 'caption'}, said));
}

function windowFigure(window, metric, zone) {
  const {places, from, to, at} = window;
  const width = 320;
  const height = 120;
  const top = 10;
  const bottom = height - 20;
  const known = metric.values.filter((value) => value !== null);
  const [low, high] = known.length > 0 ? [Math.min(...known), Math.max(...known)] : [0, 1];
  const texts = [numberText(low, fourDigits), numberText(high, fourDigits)];
  const left = 8 + Math.max(...texts.map((text) => textWidth(text)));
  const right = width - 8;
  const x = (place) => left + within01((place - places[0]) / Math.max(places.at(-1) - places[0], 1e-9)) * (right - left);
  const y = (value) => (high > low ? bottom - (value - low) / (high - low) * (bottom - top) : (top + bottom) / 2);
  const own = metric.values[at];
  const sentence = `${metric.name} around this row, from ${texts[0]} to ${texts[1]}; the window of ${counted(window.n_samples, 'sample')} is shaded.`;
  return figure([words(metric.name), metric.unit ? [', ', words(metric.unit)] : ''], chart(width, height, sentence,
    rectangle(x(from), top - 4, Math.max(4, x(to) - x(from)), bottom - top + 4, 'span'),
    [...new Set([low, high])].flatMap((value) => [line(left, y(value), right, y(value), 'grid'), label(left - 5, y(value) + 4, numberText(value, fourDigits), {anchor: 'end'})]),
    strokes(places.map(x), metric.values.map((value) => (value === null ? null : y(value)))),
    own === null || own === undefined ? null : draw('circle', {cx: rounded(x(places[at])), cy: rounded(y(own)), r: 4, class: 'this-row'}),
    line(left, bottom, right, bottom, 'axis'), axisTicks(windowTicks(window, zone, x, left, right), left, right - left, bottom)), null);
}

/** Labels the ends of the window, or of the picture if they are too close to each other. */
function windowTicks({places, from, to, is_time: isTime}, zone, x, left, right) {
  const text = (place) => (isTime && zone ? zone.text(place).slice(5) : `sample ${numberText(place)}`);
  const tick = (place) => [(x(place) - left) / (right - left), text(place)];
  const close = x(to) - x(from) < textWidth(text(to)) + 12;
  return close ? [tick(places[0]), tick(places.at(-1))] : [tick(from), tick(to)];
}

/** Lines from point to point; a missing point interrupts them, a lone one is a dot. */
function strokes(xs, ys) {
  const parts = [];
  let run = [];
  const end = () => {
    if (run.length > 1) parts.push(draw('polyline', {points: run.map(([x, y]) => `${rounded(x)},${rounded(y)}`).join(' '), class: 'stroke'}));
    else if (run.length === 1) parts.push(draw('circle', {cx: rounded(run[0][0]), cy: rounded(run[0][1]), r: 1.7, class: 'point'}));
    run = [];
  };
  ys.forEach((y, i) => (y === null ? end() : run.push([xs[i], y])));
  end();
  return parts;
}
