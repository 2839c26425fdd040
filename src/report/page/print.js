// SPDX-License-Identifier: Apache-2.0
// In print: light colours, and the rarest row of each of the first incidents in full.
'use strict';

const printedDetails = 10;
const paperWidth = 680;

function leaders(data) {
  const seen = new Set();
  const firsts = data.rows.filter(({incident}) => incident !== null && !seen.has(incident) && seen.add(incident));
  return firsts.slice(0, printedDetails);
}

/** `redraw` draws the charts over time again, with the given width, or with null as wide as possible. */
function expandForPrint(data, redraw) {
  const place = document.getElementById('printed');
  let theme;
  let folded = [];
  addEventListener('beforeprint', () => {
    theme = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = 'light';
    redraw(paperWidth);
    folded = [...document.querySelectorAll('details.fold:not([open])')];
    for (const fold of folded) fold.open = true;
    const details = leaders(data).map((row) => make('article', {class: 'detail'}, make('h3', {}, `Row ${grouped.format(row.row)}`), rowDetail(data, row)));
    place.replaceChildren(...(details.length > 0 ? [make('h2', {}, 'The highest score of each incident'), ...details] : []));
  });
  addEventListener('afterprint', () => {
    if (theme === undefined) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    redraw(null);
    for (const fold of folded) fold.open = false;
    place.replaceChildren();
  });
}
