// SPDX-License-Identifier: Apache-2.0
// The list of rows: sorted by any column, filtered by words and by incident, navigated by keyboard.
'use strict';

/** Returns the columns that this report's rows need: what they show and their sort keys. */
function listColumns(data) {
  const any = (has) => data.rows.some(has);
  const columns = [{title: 'Row', kind: 'number', key: (row) => row.row, show: rowLink}];
  columns.push({title: 'Bits', kind: 'number', key: (row) => row.bits, show: (row) => bitsText(row.bits), descends: true});
  columns.push({title: 'Reason', kind: 'reason', key: (row) => row.reason, show: (row) => words(row.reason)});
  if (any((row) => row.id !== null)) columns.push({title: 'Id', kind: 'id', key: (row) => row.id ?? '', show: (row) => words(row.id ?? '')});
  if (any((row) => row.time !== '')) {
    columns.push({title: 'Time', kind: 'time', key: (row) => row.seconds ?? -Infinity, show: (row) => timeWords(row.time)});
  }
  if (any((row) => !row.is_anomaly)) {
    columns.push({title: 'Anomaly', key: (row) => Number(row.is_anomaly), show: (row) => (row.is_anomaly ? 'yes' : 'no'), descends: true});
  }
  if (any((row) => row.label !== null)) {
    columns.push({title: 'Label', key: (row) => Number(row.label), show: (row) => labelText(row.label), descends: true});
  }
  return columns;
}

function labelText(label) {
  return label === null ? '' : label ? 'true' : 'false';
}

function rowLink(row) {
  return make('a', {href: `#row-${row.row}`}, grouped.format(row.row));
}

/** Returns all text that a filter searches, in lower case. */
function searchText(row) {
  const values = row.columns.map((column) => column.value);
  const conditions = row.conditions.flatMap((condition) => [condition.words, condition.value]);
  return [row.row, row.id ?? '', row.time, row.reason, ...conditions, ...values].join('\n').toLowerCase();
}

/** Calls `choose` with the index of a row, and `pointed` after that if the row was clicked. */
class AnomalyList {
  constructor(data, choose, pointed) {
    this.rows = data.rows;
    this.choose = choose;
    this.pointed = pointed;
    this.columns = listColumns(data);
    this.texts = this.rows.map(searchText);
    this.lines = this.rows.map((row, place) => this.line(row, place));
    this.filter = '';
    this.incident = null;
    this.sorted = {column: this.columns.find((column) => column.title === 'Bits'), descending: true};
    this.body = make('tbody', {onkeydown: (event) => this.walk(event)});
    this.heads = this.columns.map((column) => this.head(column));
    this.says = make('p', {class: 'count', role: 'status'});
    const table = make('table', {class: 'anomalies stacked'}, make('caption', {}, 'Rows with the highest scores, and their reasons'),
      make('thead', {}, make('tr', {}, this.heads)), this.body);
    const input = make('input', {type: 'search', id: 'filter', autocomplete: 'off', placeholder: 'text, row number, id or value'});
    input.addEventListener('input', () => this.narrow({filter: input.value.trim().toLowerCase()}));
    const controls = make('div', {class: 'controls'}, make('label', {for: 'filter'}, 'Filter'), input, this.says);
    this.element = make('div', {}, controls, scrolling('Anomalies', table));
    this.narrow({});
  }

  line(row, place) {
    const cells = this.columns.map((column) => make('td', {class: column.kind, 'data-title': column.kind === 'reason' ? null : column.title}, column.show(row)));
    return make('tr', {class: row.is_anomaly ? 'anomaly' : null, onclick: () => this.point(place)}, cells);
  }

  point(place) {
    this.choose(place);
    this.pointed();
  }

  head(column) {
    const button = make('button', {type: 'button', onclick: () => this.sort(column)}, column.title);
    return make('th', {scope: 'col', class: column.kind}, button);
  }

  sort(column) {
    const again = this.sorted.column === column;
    this.sorted = {column, descending: again ? !this.sorted.descending : column.descends === true};
    this.narrow({});
  }

  /** Shows the rows that pass the filter and belong to the incident, in the current order. */
  narrow({filter = this.filter, incident = this.incident}) {
    Object.assign(this, {filter, incident});
    const {column, descending} = this.sorted;
    const sign = descending ? -1 : 1;
    const compare = (a, b) => (typeof a === 'string' ? a.localeCompare(b, 'en', {numeric: true}) : a - b || 0);
    this.shown = this.rows.map((_, place) => place)
      .filter((place) => (incident === null || this.rows[place].incident === incident) && this.texts[place].includes(filter))
      .sort((a, b) => sign * compare(column.key(this.rows[a]), column.key(this.rows[b])) || a - b);
    this.body.replaceChildren(...this.shown.map((place) => this.lines[place]));
    this.heads.forEach((head, i) => {
      if (this.columns[i] === column) head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
    this.says.textContent = this.shown.length === this.rows.length ? counted(this.rows.length, 'row') : `${grouped.format(this.shown.length)} of ${counted(this.rows.length, 'row')}`;
  }

  /** The arrow keys move from row to row, Home and End to the first and last row. */
  walk(event) {
    const at = this.shown.findIndex((place) => this.lines[place].contains(event.target));
    const to = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: this.shown.length - 1}[event.key];
    if (to === undefined || to < 0 || to >= this.shown.length) return;
    event.preventDefault();
    this.choose(this.shown[to]);
    this.lines[this.shown[to]].querySelector('a').focus();
  }

  mark(chosen) {
    this.lines.forEach((tr, place) => {
      tr.classList.toggle('chosen', place === chosen);
      if (place === chosen) tr.querySelector('a').setAttribute('aria-current', 'true');
      else tr.querySelector('a').removeAttribute('aria-current');
    });
  }

  /** Returns the row `step` lines further down, or null. */
  beside(chosen, step) {
    const at = this.shown.indexOf(chosen);
    return at < 0 ? this.shown[0] ?? null : this.shown[at + step] ?? null;
  }
}
