// SPDX-License-Identifier: Apache-2.0
// The distribution of rows over two axes, the part that a witness's cube covers, and the row in it.
'use strict';

const pairPlot = {left: 116, top: 10, size: 280, width: 408, height: 330};

function pairX(place) {
  return pairPlot.left + within01(place) * pairPlot.size;
}

function pairY(place) {
  return pairPlot.top + (1 - within01(place)) * pairPlot.size;
}

function pairFigure(data, row) {
  const pair = data.pairs[row.pair];
  const x = data.axes[pair.x_axis];
  const y = data.axes[pair.y_axis];
  const ofX = row.conditions.find((condition) => condition.axis === pair.x_axis);
  const ofY = row.conditions.find((condition) => condition.axis === pair.y_axis);
  const peers = data.rows.filter((other) => other !== row && other.pair === row.pair);
  const sentence = `All rows by ${x.name} (horizontal) and ${y.name} (vertical); the shaded part is where ${ofX.words} and ${ofY.words}.`;
  const image = chart(pairPlot.width, pairPlot.height, sentence,
    rectangle(pairPlot.left, pairPlot.top, pairPlot.size, pairPlot.size, 'frame'),
    cellMarks(pair, x, y),
    pair.points.map(([a, b]) => draw('circle', {cx: rounded(pairX(a)), cy: rounded(pairY(b)), r: 1.7, class: 'point'})),
    cubeMarks(ofX, ofY),
    pairTicks(x, y),
    peers.map((other) => rowMark(other, pair, 'peer', 3)),
    rowMark(row, pair, 'this-row', 5));
  return make('figure', {class: 'pair'}, make('figcaption', {class: 'title'}, words(`${x.name} and ${y.name} together`)), image,
              densityLegend(pair), make('p', {class: 'caption'}, pairCaption(pair, peers)));
}

function pairCaption(pair, peers) {
  const all = pair.points.length > 0 ? 'Each dot is a row.' : 'Stronger shades mean more rows.';
  const others = peers.length > 0 ? ' Rings: other listed rows whose reason names these two columns.' : '';
  const missing = pair.n_missing > 0 ? ` ${counted(pair.n_missing, 'row')} with a missing value ${pair.n_missing === 1 ? 'is' : 'are'} not drawn.` : '';
  return `${all} Shaded: the conditions. Filled mark: this row.${others}${missing}`;
}

function cubeMarks(ofX, ofY) {
  return ofX.spans.flatMap(([left, right]) => ofY.spans.map(([low, high]) => {
    const wide = Math.max(4, pairX(right) - pairX(left));
    const tall = Math.max(4, pairY(low) - pairY(high));
    return rectangle((pairX(left) + pairX(right) - wide) / 2, (pairY(low) + pairY(high) - tall) / 2, wide, tall, 'span cube');
  }));
}

function rowMark(row, pair, className, radius) {
  const place = (axis) => row.conditions.find((condition) => condition.axis === axis)?.at ?? null;
  const x = place(pair.x_axis);
  const y = place(pair.y_axis);
  if (x === null || y === null) return null;
  const title = `row ${grouped.format(row.row)}: ${row.reason}`;
  return draw('circle', {cx: rounded(pairX(x)), cy: rounded(pairY(y)), r: radius, class: className}, draw('title', {}, title));
}

function pairTicks(x, y) {
  const ticksOf = (axis) => axis.levels.length > 0 ? levelTicks(axis.levels) : axis.ticks;
  const {left, top, size} = pairPlot;
  const marks = axisTicks(ticksOf(x), left, size, top + size);
  let free = Infinity;
  for (const [at, text] of ticksOf(y)) {
    if (pairY(at) > free - 13) continue;
    free = pairY(at);
    marks.push(line(left - 4, pairY(at), left, pairY(at), 'axis'), label(left - 7, pairY(at) + 4, text, {anchor: 'end', limit: 12}));
  }
  marks.push(label(left + size / 2, top + size + 34, x.name, {anchor: 'middle', limit: 44, className: 'name'}));
  const middle = top + size / 2;
  const turned = label(0, 0, y.name, {anchor: 'middle', limit: 44, className: 'name'});
  turned.setAttribute('transform', `translate(12 ${middle}) rotate(-90)`);
  return [...marks, turned];
}

function cellShade(n, largest) {
  return rounded(0.12 + 0.88 * Math.log1p(n) / Math.log1p(largest));
}

function cellMarks(pair, x, y) {
  const wide = pairPlot.size / x.bars.length;
  const tall = pairPlot.size / y.bars.length;
  const largest = Math.max(1, ...pair.cells.map(([, , n]) => n));
  return pair.cells.map(([i, j, n]) => {
    const cell = rectangle(pairPlot.left + i * wide, pairPlot.top + pairPlot.size - (j + 1) * tall, wide, tall, 'cell', counted(n, 'row'));
    cell.setAttribute('fill-opacity', cellShade(n, largest));
    return cell;
  });
}

function densityLegend(pair) {
  if (pair.cells.length === 0) return null;
  const largest = Math.max(1, ...pair.cells.map(([, , n]) => n));
  const steps = [...new Set([0, 0.25, 0.5, 0.75, 1].map((part) => Math.max(1, Math.round(largest ** part))))];
  const swatches = steps.map((n, i) => {
    const swatch = rectangle(1, 3, 16, 12, 'cell');
    swatch.setAttribute('fill-opacity', cellShade(n, largest));
    return [swatch, `${shortCount(n)}${i === steps.length - 1 ? ' rows' : ''}`];
  });
  return legend(`Shades from 1 to ${grouped.format(largest)} rows per cell.`, swatches);
}
