// SPDX-License-Identifier: Apache-2.0
// The columns that differ from the rows of the fit.
'use strict';

function showChanges(changes) {
  const place = document.getElementById('changes');
  place.hidden = false;
  document.getElementById('changes-link').hidden = false;
  const compared = `${counted(changes.n_columns, 'column')} of ${counted(changes.n_now, 'row')} compared with the ${counted(changes.n_then, 'row')} of the fit.`;
  const anomalies = changes.anomalies_now === null ? '' : ` Anomalies now: ${percentText(changes.anomalies_now)} of the rows.`;
  if (changes.columns.length === 0) {
    place.append(make('p', {}, `No column changed: ${compared}${anomalies}`));
    return;
  }
  const heads = [['Column'], ['What changed'], ['Missing at the fit', 'number'], ['Missing now', 'number'], ['By chance', 'number']];
  const lines = changes.columns.map((column) => make('tr', {},
    make('th', {scope: 'row'}, words(column.name)),
    make('td', {class: 'reason'}, words(column.words)),
    [['Missing at the fit', percentText(column.missing_then)], ['Missing now', percentText(column.missing_now)], ['By chance', chanceText(column.p)]]
      .map(([title, text]) => make('td', {class: 'number', 'data-title': title}, text))));
  place.append(scrolling('Changes', make('table', {class: 'changes stacked'}, make('caption', {class: 'unseen'}, 'Changed columns, the strongest change first'), headings(heads), make('tbody', {}, lines))),
    make('p', {class: 'caption'}, `${counted(changes.n_changed, 'column')} changed, the strongest change first. ${compared}${anomalies} `,
      'By chance: how often a difference like this one occurs if all rows are drawn alike, for all columns together.'));
}

function chanceText(p) {
  return p < 1e-6 ? '< 0.000001' : numberText(Number(p.toPrecision(2)));
}
