// SPDX-License-Identifier: Apache-2.0
// The distribution of rows over one axis: bars, the part that a condition selects shaded, and a marked value.
'use strict';

/** Keeps rare bars visible next to common ones. */
const bySquareRoot = Math.sqrt;
const byLogarithm = Math.log1p;

/**
 * Draws bars. `spans` are shaded; `mark` {at, text} is a labelled line (at null: in the bar of missing values);
 * `sentence` describes the chart in words.
 */
function barChart(axis, {width = 320, height = 130, scale = bySquareRoot, spans = [], holdsMissing = false, mark = null, sentence}) {
  const hasMissing = axis.n_missing > 0 || holdsMissing || (mark !== null && mark.at === null);
  const left = 40;
  const top = 20;
  const bottom = height - 20;
  const half = textWidth('missing') / 2;
  const plotWidth = width - left - 6 - (hasMissing ? 2 * half + 12 : 0);
  const missingLeft = left + plotWidth + 12 + half - 13;  // its label keeps clear of the last tick
  const largest = Math.max(1, axis.n_missing, ...axis.bars);
  const heightOf = (n) => (bottom - top) * scale(n) / scale(largest);
  const bar = (x, barWidth, n) => rectangle(x, bottom - Math.max(n > 0 ? 1.5 : 0, heightOf(n)), barWidth, Math.max(n > 0 ? 1.5 : 0, heightOf(n)), 'bar', counted(n, 'row'));
  const barWidth = plotWidth / Math.max(1, axis.bars.length);
  const parts = [
    countTicks(largest, heightOf).flatMap((n) => [
      line(left, bottom - heightOf(n), left + plotWidth, bottom - heightOf(n), 'grid'),
      label(left - 5, bottom - heightOf(n) + 4, shortCount(n), {anchor: 'end'}),
    ]),
    axis.bars.map((n, i) => bar(left + i * barWidth, barWidth - (barWidth > 4 ? 1 : 0), n)),
    line(left, bottom, left + plotWidth, bottom, 'axis'),
    axisTicks(axis.levels.length > 0 ? levelTicks(axis.levels) : axis.ticks, left, plotWidth, bottom),
    spans.map(([from, to]) => spanShade(left + within01(from) * plotWidth, left + within01(to) * plotWidth, top - 2, bottom)),
  ];
  if (hasMissing) {
    parts.push(bar(missingLeft, 26, axis.n_missing), line(missingLeft - 3, bottom, missingLeft + 29, bottom, 'axis'));
    parts.push(label(missingLeft + 13, bottom + 15, 'missing', {anchor: 'middle'}));
    if (holdsMissing) parts.push(spanShade(missingLeft - 3, missingLeft + 29, top - 2, bottom));
  }
  if (mark !== null) {
    parts.push(valueMark(mark.at === null ? missingLeft + 13 : left + within01(mark.at) * plotWidth, top, bottom, mark.text, width));
  }
  return chart(width, height, sentence, parts.flat());
}

function spanShade(from, to, top, bottom) {
  const wide = Math.max(4, to - from);
  return rectangle((from + to - wide) / 2, top, wide, bottom - top, 'span');
}

function valueMark(x, top, bottom, text, width) {
  const half = textWidth(shortened(text, 40), boldFont) / 2;
  const middle = Math.min(width - half, Math.max(half, x));
  return [line(x, top - 5, x, bottom, 'mark'), label(middle, top - 9, text, {anchor: 'middle', limit: 40, className: 'marked'})];
}

/** Returns the levels that get their own line: those of the condition, then the most common; the others are summed up. */
function shownLevels(axis, isHeld, own) {
  const order = axis.levels.map((_, i) => i).sort((a, b) => axis.bars[b] - axis.bars[a] || a - b);
  const held = order.filter((i) => isHeld(i) && i !== own).slice(0, own < 0 ? 7 : 6);
  const chosen = new Set(own < 0 ? held : [own, ...held]);
  for (const i of order) {
    if (chosen.size < 11 && !isHeld(i)) chosen.add(i);
  }
  const lines = [...chosen].sort((a, b) => a - b).map((i) => ({name: axis.levels[i], n: axis.bars[i], held: isHeld(i), own: i === own}));
  for (const [held, name] of [[true, 'inside'], [false, 'outside']]) {
    const rest = order.filter((i) => !chosen.has(i) && isHeld(i) === held);
    const n = rest.reduce((sum, i) => sum + axis.bars[i], 0);
    if (rest.length > 0) lines.push({name: `${counted(rest.length, 'other')} ${name}`, n, held, own: false});
  }
  return lines;
}

/** Like barChart for levels, which have names and no meaningful order: one line for each. */
function levelChart(axis, {width = 320, spans, holdsMissing, mark, sentence}) {
  const n = axis.levels.length;
  const isHeld = (i) => spans.some(([from, to]) => from < (i + 0.5) / n && (i + 0.5) / n < to);
  const own = mark.at === null ? -1 : Math.min(n - 1, Math.floor(within01(mark.at) * n));
  const lines = shownLevels(axis, isHeld, own);
  if (axis.n_missing > 0 || holdsMissing || mark.at === null) {
    lines.push({name: 'missing', n: axis.n_missing, held: holdsMissing, own: mark.at === null});
  }
  const largest = Math.max(1, ...lines.map((one) => one.n));
  const count = (one) => (one.own ? `${shortCount(one.n)} \u25c2 this row` : shortCount(one.n));
  const left = 8 + Math.max(...lines.map((one) => textWidth(shortened(one.name, 18), boldFont)));
  const most = width - left - 9 - Math.max(...lines.map((one) => textWidth(count(one), boldFont)));
  const parts = lines.map((one, i) => {
    const y = 4 + i * 18;
    const barWidth = Math.max(one.n > 0 ? 1.5 : 0, most * bySquareRoot(one.n) / bySquareRoot(largest));
    return [
      one.held ? rectangle(0, y, width, 18, 'span') : null,
      rectangle(left, y + 3, barWidth, 12, 'bar', counted(one.n, 'row')),
      label(left - 6, y + 13, one.name, {anchor: 'end', limit: 18, className: one.own ? 'marked' : ''}),
      label(left + barWidth + 5, y + 13, count(one), {className: one.own ? 'marked' : ''}),
    ];
  });
  return chart(width, 8 + lines.length * 18, sentence, parts.flat());
}

/** Draws one condition of a witness over all rows. */
function conditionFigure(axis, condition) {
  const sentence = `Distribution of the rows over ${axis.name}. The condition ${condition.words} is shaded; this row has ${condition.value || 'no value'}.`;
  const how = {
    spans: condition.spans,
    holdsMissing: condition.holds_missing,
    mark: {at: condition.at, text: condition.value || 'missing'},
    sentence,
  };
  const named = axis.levels.length > 0 && !axis.is_circle;
  const scale = axis.scale ? `, ${axis.scale} axis` : '';
  const caption = named ? 'Rows per level' : `Rows per bar${scale}`;
  return figure(words(condition.words), named ? levelChart(axis, how) : barChart(axis, how),
                `${caption}; bar heights are square roots of the counts, so that small counts show. Shaded: ${percentText(2 ** -condition.bits)} of the axis.`);
}

/** Draws the distribution of a column at the size of a word. */
function sparkline(axis) {
  const width = 96;
  const largest = Math.max(1, ...axis.bars);
  const barWidth = width / Math.max(1, axis.bars.length);
  const parts = axis.bars.map((n, i) => {
    const height = n > 0 ? Math.max(1, 22 * bySquareRoot(n) / bySquareRoot(largest)) : 0;
    return rectangle(i * barWidth, 24 - height, Math.max(0.5, barWidth - (barWidth > 3 ? 1 : 0)), height, 'bar');
  });
  return chart(width, 25, `Distribution of the rows over ${axis.name}.`, parts, line(0, 24.5, width, 24.5, 'axis'));
}
