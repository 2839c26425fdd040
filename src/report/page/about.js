// SPDX-License-Identifier: Apache-2.0
// The distribution of the scores, what was left out, and folded up what the report was made of.
'use strict';

function showAbout(data) {
  const facts = data.facts.map(([name, value]) => make('tr', {}, make('th', {scope: 'row'}, words(name)), make('td', {}, words(value))));
  const table = make('table', {class: 'facts'}, make('caption', {class: 'unseen'}, 'Data, model and options'), make('tbody', {}, facts));
  const fold = make('details', {class: 'fold', id: 'made-of'}, make('summary', {}, 'What this report was made of'), table);
  document.getElementById('about').append(make('div', {class: 'beside'}, scoresFigure(data), notesList(data.notes)), fold);
}

/** Lists what was left out or chosen. */
function notesList(notes) {
  return make('ul', {class: 'notes', hidden: notes.length === 0}, notes.map((note) => make('li', {}, words(note))));
}

function scoresFigure(data) {
  const {axis, threshold, threshold_words: thresholdWords} = data.scores;
  const sentence = `Distribution of the scores of ${counted(data.n_rows, 'row')}, in bits. ${thresholdWords ? `The threshold is ${thresholdWords}.` : ''}`;
  const image = barChart(axis, {
    width: Math.min(560, document.querySelector('main').clientWidth - 32),
    height: 190,
    scale: byLogarithm,
    spans: threshold === null ? [] : [[threshold, 1]],
    mark: threshold === null ? null : {at: threshold, text: 'anomalies from here on'},
    sentence,
  });
  const caption = ['Rows per bar, on a logarithmic scale so that single rows show. ', thresholdWords ? ['Threshold: ', words(thresholdWords), '.'] : null];
  return figure('Scores of all rows, in bits', image, make('span', {}, caption.flat()));
}
