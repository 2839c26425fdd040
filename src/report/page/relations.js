// SPDX-License-Identifier: Apache-2.0
// Which columns go together: one half of a square, with the names of its rows and columns along the diagonal.
'use strict';

function relationsFigure(relations) {
  const {names, pairs} = relations;
  const side = 15;
  const strongest = pairs[0][2];
  const limit = 28;
  const width = Math.max(...names.map((name, i) => i * side + 10 + 1.15 * textWidth(shortened(name, limit))));
  const cells = pairs.map(([column, row, nats]) => {
    const cell = rectangle(column * side, row * side, side - 1, side - 1, 'cell', `${names[column]} and ${names[row]}: ${natsText(nats)}`);
    cell.setAttribute('fill-opacity', relationShade(nats, strongest));
    return cell;
  });
  const image = chart(width, names.length * side, relationsSentence(relations),
    names.map((_, i) => [line(0, (i + 1) * side - 0.5, i * side, (i + 1) * side - 0.5, 'grid'), line(i * side + side - 0.5, i * side + side, i * side + side - 0.5, names.length * side, 'grid')]),
    cells, names.map((name, i) => label(i * side + 3, i * side + 11, name, {limit, className: 'name'})));
  const box = make('div', {class: 'scrolling relations', tabindex: 0, role: 'region', 'aria-label': 'Columns that go together'}, image);
  const found = figure('Columns that go together', make('div', {}, box, pairs.length > 1 ? relationsLegend(strongest) : null), relationsCaption(relations));
  found.classList.add('related');
  return found;
}

/** The square root shows weak relations beside strong ones. */
function relationShade(nats, strongest) {
  return rounded(0.12 + 0.88 * Math.sqrt(nats / strongest));
}

function natsText(nats) {
  return `${nats.toFixed(2)} nats`;
}

function relationsSentence({names, pairs, n_columns: nColumns, n_pairs: nPairs}) {
  const told = pairs.slice(0, 5).map(([column, row, nats]) => `${shortened(names[column], 40)} and ${shortened(names[row], 40)} (${natsText(nats)})`);
  return `${counted(nPairs, 'pair')} of ${counted(nColumns, 'column')} ${nPairs === 1 ? 'goes' : 'go'} together. ${pairs.length > 1 ? 'The strongest' : 'It is'}: ${told.join(', ')}.`;
}

function relationsCaption({names, n_columns: nColumns}) {
  const some = names.length < nColumns ? ` The ${names.length} columns with the strongest relations of ${grouped.format(nColumns)} are drawn.` : '';
  return 'Follow the row of one name and the column of another to the cell where they meet: the stronger its shade, the more the values of the two columns depend on each other in a sample of the fitted rows. ' +
    `Some of the trees look only at columns that go together, for combinations of values that are rare.${some}`;
}

function relationsLegend(strongest) {
  const steps = [0.0625, 0.25, 0.5625, 1];
  const parts = steps.flatMap((part, i) => {
    const swatch = rectangle(i * 84 + 1, 2, 16, 14, 'cell');
    swatch.setAttribute('fill-opacity', relationShade(part * strongest, strongest));
    return [swatch, label(i * 84 + 22, 13, natsText(part * strongest))];
  });
  return chart(steps.length * 84, 18, `Shades up to ${natsText(strongest)}.`, parts);
}
