// SPDX-License-Identifier: Apache-2.0
// One row, and everything that explains why it stands out.
'use strict';

function rowDetail(data, row) {
  return [
    make('p', {class: 'which'}, rowName(row), badges(row)),
    make('p', {class: 'big-reason'}, words(row.reason)),
    row.counts ? make('p', {class: 'counts'}, make('strong', {}, 'Evidence: '), words(row.counts), '.') : null,
    row.normal_if ? make('p', {}, make('strong', {}, 'It would be normal if: '), words(row.normal_if)) : null,
    windowPart(data, row),
    conditionsPart(data, row),
    row.pair === null ? null : pairFigure(data, row),
    columnsPart(data, row),
    impostorsPart(data, row),
    sqlPart(row),
  ].filter((part) => part !== null);
}

function rowName(row) {
  return make('span', {}, `Row ${grouped.format(row.row)}`, row.id === null ? null : [' \u00b7 ', words(row.id)], row.time ? [' \u00b7 ', words(row.time)] : null);
}

function badges(row) {
  return make('span', {class: 'badges'},
    make('span', {class: row.is_anomaly ? 'badge anomaly' : 'badge'}, `${bitsText(row.bits)} bits`),
    row.is_anomaly ? null : make('span', {class: 'badge'}, 'below the threshold'),
    row.label === null ? null : make('span', {class: 'badge'}, `label ${labelText(row.label)}`));
}

function conditionsPart(data, row) {
  if (row.conditions.length === 0) return null;
  const figures = row.conditions.map((condition) => conditionFigure(data.axes[condition.axis], condition));
  return make('div', {}, make('h4', {}, row.conditions.length === 1 ? 'Condition' : 'Conditions'), make('div', {class: 'figures'}, figures));
}

/** Bits per column: bars to the right count towards the row being an anomaly, bars to the left against it. */
function columnsPart(data, row) {
  if (row.columns.length === 0) return null;
  const barOf = bitsBars(row.columns.map(({bits}) => bits));
  const shownAtOnce = 12;
  const rest = row.columns.slice(shownAtOnce);
  const table = (columns) => make('table', {class: 'bits'}, make('caption', {class: 'unseen'}, 'Bits of each column of this row'),
    headings([['Column'], ['This row\u2019s value'], ['Bits', null, 2]]),
    make('tbody', {}, columns.map((column) => make('tr', {},
      make('td', {}, words(data.columns[column.column].name)), make('td', {class: 'value'}, words(column.value)),
      make('td', {class: 'number'}, bitsText(column.bits)), make('td', {}, barOf(column.bits))))));
  return make('div', {}, make('h4', {}, 'Bits of each column'), table(row.columns.slice(0, shownAtOnce)),
    rest.length > 0 ? make('details', {}, make('summary', {}, `${counted(rest.length, 'column')} with fewer bits`), table(rest)) : null,
    row.columns.some(({bits}) => bits < -0.05) ? make('p', {class: 'caption'}, 'Bars to the left: the value is more common than most, which counts against an anomaly.') : null);
}

/** Returns a function that draws one of these bits as a bar; all bars share the same zero. */
function bitsBars(all) {
  const width = 130;
  const least = Math.min(0, ...all);
  const perBit = width / Math.max(0.01, Math.max(0, ...all) - least);
  const zero = -least * perBit;
  return (bits) => draw('svg', {viewBox: `0 0 ${width} 12`, width, height: 12, 'aria-hidden': 'true'},
    rectangle(zero + Math.min(0, bits) * perBit, 1, Math.abs(bits) * perBit, 10, bits < 0 ? 'bar' : 'strong-bar'), line(zero, 0, zero, 12, 'axis'));
}

function impostorsPart(data, row) {
  if (row.n_impostors === 0) return null;
  const listed = new Set(data.rows.map((other) => other.row));
  const links = row.impostors.flatMap((number, i) => [
    i > 0 ? ', ' : '', listed.has(number) ? make('a', {href: `#row-${number}`}, grouped.format(number)) : grouped.format(number),
  ]);
  const more = row.n_impostors - row.impostors.length;
  return make('div', {}, make('h4', {}, 'Other rows that meet the conditions'),
    make('p', {}, `${counted(row.n_impostors, 'other row')}: `, links, more > 0 ? ` and ${grouped.format(more)} more` : '', '.'));
}

function sqlPart(row) {
  if (row.sql === '' && row.sql_note === '') return null;
  const code = make('code', {dir: 'auto'}, row.sql);
  return make('div', {}, make('h4', {}, 'Find such rows in a database'),
    row.sql ? make('div', {class: 'sql'}, make('pre', {tabindex: 0, 'aria-label': 'SQL query', role: 'region'}, code),
      make('button', {type: 'button', class: 'copy', onclick: () => copyText(code)}, 'Copy')) : null,
    row.sql_note ? make('p', {class: 'caption'}, words(row.sql_note)) : null);
}

/** Browsers may deny the clipboard to pages opened from disk. In that case the text is selected and copied as a person would. */
async function copyText(element) {
  let copied = true;
  try {
    await navigator.clipboard.writeText(element.textContent);
  } catch {
    getSelection().selectAllChildren(element);
    copied = document.execCommand('copy');
  }
  announce(copied ? 'Copied' : 'Selected; press Ctrl+C to copy');
}

/** Shows a message for a moment; screen readers read it aloud. */
function announce(text) {
  const place = document.getElementById('announcement');
  place.textContent = text;
  clearTimeout(announce.timer);
  announce.timer = setTimeout(() => place.textContent = '', 4000);
}
