// SPDX-License-Identifier: Apache-2.0
// Which columns go together: one half of a square, with the names of its rows and columns along the diagonal.
'use strict';

const relationsSide = 15;
const relationsName = 28;

/** `room` is the width that the picture may take; it has the columns of the strongest relations that fit. */
function relationsFigure(all, room) {
  const relations = fittingRelations(all, room);
  const {names, pairs} = relations;
  const side = relationsSide;
  const limit = relationsName;
  const strongest = pairs[0][2];
  const width = relationsWidth(names);
  const cells = pairs.map(([column, row, nats]) => {
    const cell = rectangle(column * side, row * side, side - 1, side - 1, 'cell', `${names[column]} and ${names[row]}: ${natsText(nats)}`);
    cell.setAttribute('fill-opacity', relationShade(nats, strongest));
    return cell;
  });
  const image = chart(width, names.length * side, relationsSentence(relations),
    names.map((_, i) => [line(0, (i + 1) * side - 0.5, i * side, (i + 1) * side - 0.5, 'grid'), line(i * side + side - 0.5, i * side + side, i * side + side - 0.5, names.length * side, 'grid')]),
    cells, names.map((name, i) => label(i * side + 3, i * side + 11, name, {limit, className: 'name'})));
  const box = make('div', {class: 'relations'}, image);
  const found = figure('Columns that go together', make('div', {}, box, pairs.length > 1 ? relationsLegend(strongest) : null), relationsCaption(relations));
  found.classList.add('related');
  return found;
}

function relationsWidth(names) {
  return Math.max(...names.map((name, i) => i * relationsSide + 10 + textWidth(shortened(name, relationsName), '12px')));
}

/** Leaves out the columns of the weakest relations until the picture fits; two columns always stay. */
function fittingRelations(relations, room) {
  const rank = relations.names.map((_, i) => relations.pairs.findIndex(([a, b]) => a === i || b === i));
  const order = rank.map((place, i) => i).sort((a, b) => rank[a] - rank[b] || a - b);
  const kept = (n) => order.slice(0, n).sort((a, b) => a - b);
  let n = order.length;
  while (n > 2 && relationsWidth(kept(n).map((i) => relations.names[i])) > room) n -= 1;
  const places = kept(n);
  return {...relations, names: places.map((i) => relations.names[i]), pairs: relations.pairs.filter(([a, b]) => places.includes(a) && places.includes(b)).map(([a, b, nats]) => [places.indexOf(a), places.indexOf(b), nats])};
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
  const swatches = steps.map((part) => {
    const swatch = rectangle(1, 2, 16, 14, 'cell');
    swatch.setAttribute('fill-opacity', relationShade(part * strongest, strongest));
    return [swatch, natsText(part * strongest)];
  });
  return legend(`Shades up to ${natsText(strongest)}.`, swatches);
}
