// SPDX-License-Identifier: Apache-2.0
// Reads the data, fills the sections and connects their selections.
'use strict';

const data = JSON.parse(document.getElementById('report-data').textContent);

function showAnomalies() {
  const place = document.getElementById('anomalies');
  if (data.rows.length === 0) {
    place.append(make('p', {class: 'nothing'}, 'No row stands out: there are no anomalies to list.'));
    return () => {};
  }
  if (data.n_anomalies === 0) place.append(make('p', {class: 'nothing'}, 'No row is an anomaly. These rows have the highest scores.'));
  let chosen = null;
  const list = new AnomalyList(data, choose, bringDetail);
  const incidents = data.incidents.length > 0 ? incidentList(data, chooseIncident) : null;
  const previous = make('button', {type: 'button', onclick: () => chooseIfAny(list.beside(chosen, -1))}, 'Previous');
  const next = make('button', {type: 'button', onclick: () => chooseIfAny(list.beside(chosen, 1))}, 'Next');
  const all = make('button', {type: 'button', hidden: true, onclick: () => chooseIncident(null)}, 'Show all incidents');
  const detail = make('div', {class: 'detail-parts', 'aria-live': 'off'});
  place.append(make('div', {class: 'master'},
    make('div', {class: 'lists'}, incidents?.element, all, list.element),
    make('article', {class: 'detail', id: 'detail', 'aria-labelledby': 'detail-title', tabindex: -1},
      make('div', {class: 'controls'}, make('h3', {id: 'detail-title'}, 'Selected row'), previous, next), detail)));

  function show(row) {
    chosen = row;
    list.mark(row);
    detail.replaceChildren(...rowDetail(data, data.rows[row]));
    previous.disabled = list.beside(row, -1) === null;
    next.disabled = list.beside(row, 1) === null;
  }
  function choose(row) {
    show(row);
    history.replaceState(null, '', `#row-${data.rows[row].row}`);
  }
  /** Next to the list, the detail is visible already. */
  function bringDetail() {
    const article = document.getElementById('detail');
    const {top} = article.getBoundingClientRect();
    if (top < 0 || top > innerHeight - 150) article.scrollIntoView();
  }
  function chooseIfAny(row) {
    if (row !== null) choose(row);
  }
  function chooseIncident(incident) {
    incidents.mark(incident);
    all.hidden = incident === null;
    list.narrow({incident});
    chooseIfAny(list.beside(null, 0));
  }
  show(list.shown[0]);
  /** A link may name a row that the list does not show at the moment. */
  return function chooseNumbered(number) {
    const row = data.rows.findIndex((one) => one.row === number);
    if (row < 0) return;
    if (!list.shown.includes(row) && list.incident !== null) chooseIncident(null);
    choose(row);
    bringDetail();
  };
}

showSummary(data);
showColumns(data);
const chooseNumbered = showAnomalies();
const redrawSeries = data.series ? showSeries(data, chooseNumbered) : () => {};
watchTheme(() => redrawSeries(null));
expandForPrint(data, redrawSeries);

function followLink() {
  const match = /^#row-(\d+)$/.exec(location.hash);
  if (match) chooseNumbered(Number(match[1]));
}
addEventListener('hashchange', followLink);
followLink();
