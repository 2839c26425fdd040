// SPDX-License-Identifier: Apache-2.0
// The incidents: anomalies that share a reason. Choosing one shows only its anomalies in the list.
'use strict';

/** Calls `choose` with the index of the incident, or null for all. Returns the element and a function that marks a choice. */
function incidentList(data, choose) {
  const hasTimes = data.incidents.some((incident) => incident.first_time !== '');
  const lines = data.incidents.map((incident, place) => {
    const button = make('button', {type: 'button', class: 'quiet', 'aria-pressed': 'false'}, words(incident.reason));
    const tr = make('tr', {onclick: () => choose(tr.classList.contains('chosen') ? null : place)},
      make('td', {class: 'number'}, grouped.format(incident.n_anomalies)),
      make('td', {class: 'number'}, bitsText(incident.bits)),
      make('td', {class: 'reason'}, button, incident.counts ? make('small', {}, words(incident.counts)) : null),
      hasTimes ? make('td', {class: 'time'}, words(timeRange(incident))) : null);
    return {tr, button};
  });
  const columns = [['Anomalies', 'number'], ['Most bits', 'number'], ['Reason'], ...(hasTimes ? [['When']] : [])];
  const table = make('table', {class: 'incidents'},
    make('caption', {}, 'Incidents: select one to see only its anomalies'),
    headings(columns), make('tbody', {}, lines.map(({tr}) => tr)));
  const mark = (chosen) => lines.forEach(({tr, button}, place) => {
    tr.classList.toggle('chosen', place === chosen);
    button.setAttribute('aria-pressed', String(place === chosen));
  });
  return {element: scrolling('Incidents', table), mark};
}

function timeRange({first_time: first, last_time: last}) {
  return first === last || last === '' ? first : `${first} \u2013 ${last}`;
}
