// SPDX-License-Identifier: Apache-2.0
// The answer on top: each incident with the value of its worst row, its time and its metrics.
'use strict';

const incidentsAtOnce = 10;

/** Calls `choose` with the index of the incident, or null for all. Returns a function that marks a choice. */
function showIncidents(data, choose) {
  const place = document.getElementById('incidents');
  if (data.incidents.length === 0) {
    place.append(make('p', {class: 'nothing'}, data.rows.length === 0 ? 'No row stands out: there are no anomalies to list.' : 'No row is an anomaly. The rows below have the highest scores.'), howToRead());
    return () => {};
  }
  const columns = incidentColumns(data);
  const lines = data.incidents.map((incident, i) => incidentLine(data, columns, i, choose));
  const body = make('tbody', {}, lines.slice(0, incidentsAtOnce).map(({tr}) => tr));
  const table = make('table', {class: 'incidents stacked'}, make('caption', {class: 'unseen'}, 'Incidents, the rarest first'),
    headings(columns.map(({title, kind}) => [title, kind])), body);
  const all = make('button', {type: 'button', hidden: lines.length <= incidentsAtOnce, onclick: () => {
    body.append(...lines.slice(incidentsAtOnce).map(({tr}) => tr));
    all.hidden = true;
  }}, `Show all ${grouped.format(lines.length)} incidents`);
  const does = data.is_in_time ? 'Select an incident to zoom the series to it and to list only its anomalies.' : 'Select an incident to list only its anomalies.';
  place.append(scrolling('Incidents', table), all, make('p', {class: 'caption'}, does), howToRead());
  return (chosen) => lines.forEach(({tr, button}, i) => {
    tr.classList.toggle('chosen', i === chosen);
    button.setAttribute('aria-pressed', String(i === chosen));
  });
}

/** Returns the columns that these incidents need: what they show of an incident. */
function incidentColumns(data) {
  const columns = [{title: data.is_in_time ? 'Value at its worst' : 'Value', kind: 'reason'}];
  if (data.incidents.some(({key}) => key !== '')) columns.push({title: data.series?.by_column || 'Series', kind: 'key', show: ({key}) => words(key || 'missing')});
  if (data.incidents.some(({first_time: first}) => first !== '')) columns.push({title: 'Time', kind: 'time', show: (incident) => [timeWords(timeRange(incident)), timeDetails(incident)]});
  columns.push({title: 'Metrics', kind: 'blamed', show: (incident) => incident.blame.map((one) => blameLine(data, incident, one))});
  columns.push({title: 'Most bits', kind: 'number', show: ({bits}) => bitsText(bits)});
  columns.push({title: 'Anomalies', kind: 'number', show: ({n_anomalies: n}) => grouped.format(n)});
  return columns;
}

function incidentLine(data, columns, i, choose) {
  const incident = data.incidents[i];
  const value = data.rows[incident.row]?.reason ?? incident.reason;
  const reason = [value === incident.reason ? '' : incident.reason, incident.counts].filter((text) => text !== '').join(': ');
  const button = make('button', {type: 'button', class: 'quiet', 'aria-pressed': 'false'}, words(value));
  const tr = make('tr', {onclick: () => choose(tr.classList.contains('chosen') ? null : i)},
    make('td', {class: 'reason'}, button, reason ? make('small', {}, words(reason)) : null),
    columns.slice(1).map(({title, kind, show}) => make('td', {class: kind, 'data-title': title}, show(incident))));
  return {tr, button};
}

/** A metric with its value at the worst row, or its lowest and highest value in the window of that row, and its bits. */
function blameLine(data, incident, {name, bits, value}) {
  const window = data.rows[incident.row]?.window;
  const metric = window?.metrics.find((one) => one.name === name);
  const text = metric ? extentText(window, metric) : value;
  return make('span', {class: 'blame'}, words(name), text === '' ? null : [' ', words(shortened(text, 24))], make('small', {}, ` +${bitsText(bits)}`));
}

function extentText({places, from, to}, {values}) {
  const inside = values.filter((value, i) => value !== null && places[i] >= from && places[i] <= to);
  if (inside.length === 0) return 'missing';
  const ends = [Math.min(...inside), Math.max(...inside)].map((value) => numberText(value, fourDigits));
  return ends[0] === ends[1] ? ends[0] : `${ends[0]} to ${ends[1]}`;
}

function timeRange({first_time: first, last_time: last}) {
  if (first === last || last === '') return first;
  const sameDay = first.length > 10 && first.slice(0, 10) === last.slice(0, 10);
  return `${first} \u2013 ${sameDay ? last.slice(11) : last}`;
}

/** How long it lasted, its worst time, and whether it may go on after the data. */
function timeDetails({length, worst_time: worst, first_time: first, last_time: last, is_open: isOpen}) {
  const parts = [length, worst === '' || first === last ? '' : `worst ${worst.slice(0, 10) === first.slice(0, 10) && worst.length > 10 ? worst.slice(11) : worst}`, isOpen ? 'open at the end' : ''];
  const text = parts.filter((part) => part !== '').join(', ');
  return text === '' ? null : make('small', {}, text);
}

function howToRead() {
  return make('details', {class: 'fold'}, make('summary', {}, 'How to read this'),
    make('p', {}, 'A row is an anomaly if a few conditions single it out: they describe a large part of the space of values that contains almost no rows. ',
      'Bits measure how much emptier that part is than an even spread of the rows would leave it: 1 bit means half as many rows, 7 bits mean one in 128. ',
      'A score usually is the average over many trees, each of which divides the space in its own way. ',
      'A row with a value far apart from all others of its column, an isolated value, has the bits of that value instead. ',
      data.is_in_time ? 'Anomalies that follow each other in time form one incident.' : 'Anomalies with the same reason form one incident.'));
}
