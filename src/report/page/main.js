// SPDX-License-Identifier: Apache-2.0
// Reads the data, fills the sections and connects their selections.
'use strict';

const data = JSON.parse(document.getElementById('report-data').textContent);

function showAnomalies() {
  const place = document.getElementById('anomalies');
  const mark = showIncidents(data, pointIncident);
  place.hidden = data.rows.length === 0;
  if (data.rows.length === 0) return () => {};
  let chosen = null;
  const list = new AnomalyList(data, choose, bringDetail);
  const previous = make('button', {type: 'button', onclick: () => chooseIfAny(list.beside(chosen, -1))}, 'Previous');
  const next = make('button', {type: 'button', onclick: () => chooseIfAny(list.beside(chosen, 1))}, 'Next');
  const all = make('button', {type: 'button', hidden: true, onclick: () => chooseIncident(null)}, 'Show all incidents');
  const detail = make('div', {class: 'detail-parts', 'aria-live': 'off'});
  place.append(make('div', {class: 'master'},
    make('div', {class: 'lists'}, all, list.element),
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
    mark(incident);
    all.hidden = incident === null;
    list.narrow({incident});
    chooseIfAny(list.beside(null, 0));
  }
  /** The pointer is on the incidents, from where the detail may be out of sight. */
  function pointIncident(incident) {
    chooseIncident(incident);
    if (data.is_in_time) showTime(incident);
    else if (incident !== null) bringDetail();
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

document.title = data.title;
document.getElementById('title').append(words(data.title));
document.getElementById('headline').append(words(data.headline));
let showTime = () => {};
const chooseNumbered = showAnomalies();
const series = data.series ? showSeries(data, chooseNumbered) : null;
if (series) showTime = (incident) => series.showIncident(incident === null ? null : data.incidents[incident]);
const redrawSeries = (width) => series?.draw(width);
if (data.changes) showChanges(data.changes);
showColumns(data);
showAbout(data);
watchTheme(() => redrawSeries(null));
expandForPrint(data, redrawSeries);

function followLink() {
  const match = /^#row-(\d+)$/.exec(location.hash);
  if (match) chooseNumbered(Number(match[1]));
}
addEventListener('hashchange', followLink);
followLink();
