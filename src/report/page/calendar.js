// SPDX-License-Identifier: Apache-2.0
// The times of the week at which anomalies occur: weekday by hour.
'use strict';

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

function calendarFigure(series, zone) {
  const shares = series.calendar_rows.map((n, i) => (n > 0 ? series.calendar_anomalies[i] / n : null));
  const most = Math.max(...shares.map((share) => share ?? 0));
  const wide = 24;
  const left = 36;
  const parts = shares.map((share, i) => {
    const hour = i % 24;
    const day = Math.floor(i / 24);
    const title = `${weekdays[day]} ${String(hour).padStart(2, '0')}:00: ${grouped.format(series.calendar_anomalies[i])} of ${counted(series.calendar_rows[i], 'row')}`;
    const cell = rectangle(left + hour * wide, 18 + day * 20, wide - 1, 19, share === null ? 'no-rows' : 'share', title);
    if (share !== null) cell.setAttribute('fill-opacity', shareShade(share, most));
    return cell;
  });
  weekdays.forEach((name, day) => parts.push(label(left - 6, 32 + day * 20, name, {anchor: 'end'})));
  for (let hour = 0; hour < 24; hour += 3) parts.push(label(left + hour * wide, 12, `${String(hour).padStart(2, '0')}:00`));
  const sum = series.calendar_anomalies.reduce((a, b) => a + b, 0);
  const sentence = `Share of rows that are anomalies by weekday and hour, up to ${percentText(most)}; ${counted(sum, 'anomaly', 'anomalies')} in all.`;
  const image = chart(left + 24 * wide, 18 + 7 * 20, sentence, parts);
  return figure('Anomalies by weekday and hour', make('div', {}, make('div', {class: 'scrolling calendar', tabindex: 0, role: 'region', 'aria-label': 'Calendar'}, image), calendarLegend(most)),
                `Share of the rows of each hour that are anomalies, in ${zone.name}; point at a cell for its counts.`);
}

function shareShade(share, most) {
  return share === 0 ? 0 : rounded(0.15 + 0.85 * share / most);
}

function calendarLegend(most) {
  const steps = most > 0 ? [0, 0.25, 0.5, 0.75, 1] : [0];
  const parts = steps.flatMap((part, i) => {
    const swatch = rectangle(i * 76 + 1, 2, 16, 14, 'share');
    swatch.setAttribute('fill-opacity', shareShade(part * most, most));
    return [swatch, label(i * 76 + 22, 13, percentText(part * most))];
  });
  parts.push(rectangle(steps.length * 76 + 1, 2, 16, 14, 'no-rows'), label(steps.length * 76 + 22, 13, 'no rows'));
  return chart(steps.length * 76 + 76, 18, `Shades from 0 % to ${percentText(most)}; dashed cells have no rows.`, parts);
}
