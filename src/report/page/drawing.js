// SPDX-License-Identifier: Apache-2.0
// Shared by all static charts: SVG elements, positions on axes, and ticks that do not overlap.
'use strict';

function draw(name, attributes = {}, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

/** Makes an image that a screen reader reads as one sentence. */
function chart(width, height, sentence, ...children) {
  const attributes = {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': sentence};
  return draw('svg', attributes, children);
}

function rectangle(x, y, width, height, className, title) {
  const attributes = {x: rounded(x), y: rounded(y), width: rounded(Math.max(0, width)), height: rounded(Math.max(0, height))};
  return draw('rect', {...attributes, class: className}, title ? draw('title', {}, title) : null);
}

function line(x1, y1, x2, y2, className) {
  return draw('line', {x1: rounded(x1), y1: rounded(y1), x2: rounded(x2), y2: rounded(y2), class: className});
}

/** `anchor` is start, middle or end. A truncated text is shown in full on hover. */
function label(x, y, text, {anchor = 'start', limit = 60, className = ''} = {}) {
  const shown = shortened(text, limit);
  const attributes = {x: rounded(x), y: rounded(y), 'text-anchor': anchor, class: className};
  return draw('text', attributes, shown, shown === text ? null : draw('title', {}, text));
}

function rounded(x) {
  return Math.round(x * 100) / 100;
}

function within01(place) {
  return Math.min(1, Math.max(0, place));
}

const ruler = document.createElement('canvas').getContext('2d');

/** Returns the width of a text of a chart, at most its first 60 characters. `font` may be bold or larger. */
function textWidth(text, font = '11px') {
  ruler.font = `${font} ${getComputedStyle(document.body).fontFamily}`;
  return ruler.measureText(shortened(text, 60)).width;
}

const boldFont = '600 11px';

/** Returns the ticks of a scale of counts: powers of ten as far as they do not overlap, and the largest count. */
function countTicks(largest, height) {
  const ticks = [];
  for (let n = 1; n < largest; n *= 10) ticks.push(n);
  ticks.push(largest);
  const apart = [];
  for (const n of ticks.reverse()) {
    if (apart.length === 0 || height(apart.at(-1)) - height(n) >= 13) apart.push(n);
  }
  return apart;
}

function shortCount(n) {
  if (n >= 1e6) return `${+(n / 1e6).toPrecision(2)} M`;
  if (n >= 1e4) return `${Math.round(n / 1e3)} k`;
  return grouped.format(n);
}

/** Draws ticks below an axis that starts at `x`; ticks that would overlap the previous one are left out. */
function axisTicks(ticks, x, width, y) {
  const marks = [];
  let free = -Infinity;
  for (const [at, text] of ticks) {
    const half = textWidth(shortened(text, 18)) / 2;
    const middle = Math.min(x + width - half + 4, Math.max(x + half - 4, x + at * width));
    if (middle - half < free + 6) continue;
    free = middle + half;
    marks.push(line(x + at * width, y, x + at * width, y + 4, 'axis'), label(middle, y + 15, text, {anchor: 'middle', limit: 18}));
  }
  return marks;
}

/** Makes a legend of swatches and texts that takes as many lines as it needs. */
function legend(sentence, swatches) {
  const items = swatches.map(([swatch, text]) => make('span', {}, draw('svg', {viewBox: '0 0 18 18', width: 18, height: 18, 'aria-hidden': 'true'}, swatch), text));
  return make('div', {class: 'legend', role: 'img', 'aria-label': sentence}, items);
}

/** Returns the positions of the levels of an axis, as ticks. */
function levelTicks(levels) {
  return levels.map((level, i) => [(i + 0.5) / levels.length, level]);
}
