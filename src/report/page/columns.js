// SPDX-License-Identifier: Apache-2.0
// The columns: their kinds, and which of them carry the signal.
'use strict';

function showColumns(data) {
  const whom = data.n_anomalies > 0 ? 'the anomalies' : 'the listed rows';
  const barOf = bitsBars(data.columns.map((column) => column.mean_bits));
  const bySignal = [...data.columns].sort((a, b) => b.mean_bits - a.mean_bits || b.n_witnesses - a.n_witnesses);
  const titles = [['Column'], ['Kind'], ['Missing', 'number'], ['Mean bits', null, 2], ['In reasons', 'number'], ['Values'], ['Note']];
  const lines = bySignal.map((column) => make('tr', {},
    make('th', {scope: 'row'}, words(column.name), column.unit ? make('small', {}, words(column.unit)) : null),
    make('td', {}, words(column.kind)),
    make('td', {class: 'number'}, percentText(column.missing_share)),
    make('td', {class: 'number'}, column.axes.length > 0 ? bitsText(column.mean_bits) : ''),
    make('td', {}, column.axes.length > 0 ? barOf(column.mean_bits) : 'not used'),
    make('td', {class: 'number'}, grouped.format(column.n_witnesses)),
    make('td', {class: 'shapes'}, column.axes.map((axis) => sparkline(data.axes[axis]))),
    make('td', {class: 'note'}, words(column.note))));
  const table = make('table', {class: 'columns'},
    make('caption', {class: 'unseen'}, `Columns, most bits of ${whom} first`), headings(titles), make('tbody', {}, lines));
  document.getElementById('columns').append(scrolling('Columns', table),
    make('p', {class: 'caption'}, `Mean bits: average bits of the column over ${whom}. In reasons: number of their reasons that name the column. `,
      'Values: distribution of all rows over the column, from low to high or level by level; bar heights are square roots of the counts.'));
  if (data.relations.names.length > 0) document.getElementById('columns').append(relationsFigure(data.relations));
}
