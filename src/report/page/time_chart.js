// SPDX-License-Identifier: Apache-2.0
// A chart over time that can be zoomed and panned: one line, perhaps with a band around it, and shaded spans.
'use strict';

/**
 * `curve` is {values, low, high}; the last two are optional together. Calls `ranged` with the ends of a new range, and
 * `pointed` with the time of a click. Returns the uPlot.
 */
function timeChart(place, {width, times, curve, spans, zone, from0, accent, axisWidth, ranged, pointed}) {
  const ink = colour(accent ? '--accent' : '--ink');
  const banded = curve.low !== undefined;
  const axis = {stroke: colour('--soft'), grid: {stroke: colour('--line'), width: 1}, ticks: {stroke: colour('--line'), width: 1}};
  const number = (u, value) => numberText(value);
  const series = [{label: 'time', value: (u, t) => (t === null ? '\u2013' : zone.text(t))}];
  const lines = banded ? [[curve.values, 'mean'], [curve.low, 'lowest'], [curve.high, 'highest']] : [[curve.values, 'value']];
  for (const [i, [, name]] of lines.entries()) {
    series.push({label: name, stroke: i === 0 ? ink : 'transparent', width: i === 0 ? 1.25 : 0, points: {show: times.length < 60 && i === 0, size: 4}, value: number});
  }
  const options = {
    width: width || 600,  // a hidden place has no width
    height: 164,
    padding: [8, 40, 0, 0],
    tzDate: zone.toLocal,
    scales: {y: {range: (u, low, high) => niceRange(from0 ? Math.min(0, low) : low, high)}},
    axes: [{...axis, values: (u, ticks, i, space, step) => tickTexts(zone, ticks, step)}, {...axis, values: (u, ticks) => ticks.map((tick) => numberText(tick)), size: (u, texts) => Math.max(axisWidth, ...(texts ?? []).map(labelWidth)), space: 24}],
    series,
    bands: banded ? [{series: [3, 2], fill: colour('--band')}] : [],
    cursor: {
      y: false,
      sync: {key: 'report', setSeries: false},
      drag: {x: true, y: false},
      bind: {mousedown: (u, target, zoom) => (event) => (event.shiftKey ? pan(u, event) : zoom(event))},
    },
    hooks: {
      drawClear: [(u) => shadeSpans(u, spans)],
      setScale: [(u, key) => key === 'x' && ranged(u.scales.x.min, u.scales.x.max)],
    },
  };
  const plot = new uPlot(options, [times, ...lines.map(([values]) => values)], place);
  let pressedAt = 0;
  plot.over.addEventListener('mousedown', (event) => pressedAt = event.clientX);
  plot.over.addEventListener('click', (event) => {
    if (Math.abs(event.clientX - pressedAt) < 4) pointed(plot.posToVal(event.offsetX, 'x'), plot.posToVal(6, 'x') - plot.posToVal(0, 'x'));
  });
  return plot;
}

/** Returns the room that a label beside a chart takes. */
function labelWidth(text) {
  return 16 + textWidth(text, '12px');
}

/** Returns the room that labels of round numbers up to the extremes of some values take. */
function axisWidthOf(values) {
  let [low, high] = [0, 0];
  for (const value of values) {
    low = Math.min(low, value ?? 0);
    high = Math.max(high, value ?? 0);
  }
  return Math.max(56, ...[low, high].map((value) => labelWidth(numberText(+value.toPrecision(2)))));
}

function niceRange(low, high) {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  return low === high ? [low - 1, high + 1] : uPlot.rangeNum(low, high, 0.08, low !== 0);
}

/** Spans are at least a few pixels wide; otherwise a single row within a year would not be visible. */
function shadeSpans(u, spans) {
  const {ctx, bbox} = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = colour('--tint');
  for (const [from, to] of spans) {
    const left = u.valToPos(from, 'x', true);
    const wide = Math.max(4 * devicePixelRatio, u.valToPos(to, 'x', true) - left);
    const middle = (left + u.valToPos(to, 'x', true)) / 2;
    ctx.fillRect(middle - wide / 2, bbox.top, wide, bbox.height);
  }
  ctx.restore();
}

/** Dragging with the shift key pans the range. */
function pan(u, event) {
  const {min, max} = u.scales.x;
  const perPixel = (max - min) / u.over.clientWidth;
  const move = (now) => {
    const by = (event.clientX - now.clientX) * perPixel;
    u.setScale('x', {min: min + by, max: max + by});
  };
  const end = () => {
    document.removeEventListener('mousemove', move);
    document.removeEventListener('mouseup', end);
  };
  document.addEventListener('mousemove', move);
  document.addEventListener('mouseup', end);
}
