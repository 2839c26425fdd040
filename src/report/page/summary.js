// SPDX-License-Identifier: Apache-2.0
// The input, the settings, and the distribution of the scores.
'use strict';

function showSummary(data) {
  document.title = data.title;
  document.getElementById('title').append(words(data.title));
  document.getElementById('headline').append(words(data.headline));
  const facts = data.facts.map(([name, value]) => make('tr', {}, make('th', {scope: 'row'}, words(name)), make('td', {}, words(value))));
  const table = make('table', {class: 'facts'}, make('caption', {}, 'Data and model'), make('tbody', {}, facts));
  document.getElementById('summary').append(make('div', {class: 'beside'},
    make('div', {}, table, notesList(data.notes)),
    make('div', {}, scoresFigure(data), howToRead())));
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

function howToRead() {
  return make('details', {class: 'help', open: true}, make('summary', {}, 'How to read this'),
    make('p', {}, 'A row is an anomaly if a few conditions single it out: they describe a large part of the space of values that contains almost no rows. ',
      'Bits measure how much emptier that part is than an even spread of the rows would leave it: 1 bit means half as many rows, 7 bits mean one in 128. ',
      'A score usually is the average over many trees, each of which divides the space in its own way. ',
      'A row with a value far apart from all others of its column, an isolated value, has the bits of that value instead. ',
      'Anomalies with the same reason form one incident.'));
}
