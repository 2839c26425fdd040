// SPDX-License-Identifier: Apache-2.0
// The columns: their kinds, and which of them carry the signal. Only one page of them is drawn at a time.
'use strict';

const columnsAtOnce = 25;

function showColumns(data) {
  const table = new ColumnTable(data);
  const whom = data.n_anomalies > 0 ? 'the anomalies' : 'the listed rows';
  document.getElementById('columns').append(table.controls, scrolling('Columns', table.element), table.says,
    make('p', {class: 'caption'}, `Mean bits: average bits of the column over ${whom}. In reasons: number of their reasons that name the column. `,
      'Values: distribution of all rows over the column, from low to high or level by level; bar heights are square roots of the counts.'));
  if (data.relations.names.length > 0) document.getElementById('columns').append(relationsFigure(data.relations, document.querySelector('main').clientWidth - 48));
}

class ColumnTable {
  constructor(data) {
    this.axes = data.axes;
    this.barOf = bitsBars(data.columns.map((column) => column.mean_bits));
    this.columns = [...data.columns].sort((a, b) => b.mean_bits - a.mean_bits || b.n_witnesses - a.n_witnesses);
    const titles = [['Column'], ['Kind'], ['Missing', 'number'], ['Mean bits', null, 2], ['In reasons', 'number'], ['Values'], ['Note']];
    this.body = make('tbody', {});
    this.element = make('table', {class: 'columns stacked'}, make('caption', {class: 'unseen'}, 'Columns, most bits first'), headings(titles), this.body);
    this.says = make('p', {class: 'count', role: 'status'});
    const turn = (title, by) => make('button', {type: 'button', onclick: () => this.show(this.page + by)}, title);
    this.previous = turn('Previous columns', -1);
    this.next = turn('Next columns', 1);
    const input = make('input', {type: 'search', id: 'column-filter', autocomplete: 'off', placeholder: 'name or kind'});
    input.addEventListener('input', () => this.narrow(input.value.trim().toLowerCase()));
    this.controls = make('div', {class: 'controls', hidden: this.columns.length <= columnsAtOnce}, make('label', {for: 'column-filter'}, 'Find columns'), input, this.previous, this.next);
    this.narrow('');
  }

  narrow(filter) {
    this.shown = this.columns.filter(({name, kind}) => `${name}\n${kind}`.toLowerCase().includes(filter));
    this.show(0);
  }

  show(page) {
    this.page = page;
    const first = page * columnsAtOnce;
    const some = this.shown.slice(first, first + columnsAtOnce);
    this.body.replaceChildren(...some.map((column) => this.line(column)));
    this.previous.disabled = page === 0;
    this.next.disabled = first + columnsAtOnce >= this.shown.length;
    const which = some.length > 0 ? `${grouped.format(first + 1)} to ${grouped.format(first + some.length)} of ` : '';
    this.says.textContent = some.length === this.columns.length ? counted(this.columns.length, 'column') : `${which}${counted(this.shown.length, 'column')}`;
  }

  line(column) {
    const cell = (title, kind, content) => make('td', {class: kind, 'data-title': title}, content);
    const isUsed = column.axes.length > 0;
    return make('tr', {},
      make('th', {scope: 'row'}, words(column.name), column.unit ? make('small', {}, words(column.unit)) : null),
      cell('Kind', null, words(column.kind)),
      cell('Missing', 'number', percentText(column.missing_share)),
      cell('Mean bits', 'number', isUsed ? bitsText(column.mean_bits) : ''),
      make('td', {}, isUsed ? this.barOf(column.mean_bits) : 'not used'),
      cell('In reasons', 'number', grouped.format(column.n_witnesses)),
      make('td', {class: 'shapes'}, column.axes.map((axis) => sparkline(this.axes[axis]))),
      make('td', {class: 'note'}, words(column.note)));
  }
}
