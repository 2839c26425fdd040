// SPDX-License-Identifier: Apache-2.0
// On paper: light colours, and the rarest row of each of the first incidents in full.
'use strict';

const printedDetails = 10;

function leaders(data) {
  const seen = new Set();
  const firsts = data.rows.filter((row) => {
    if (row.incident !== null && seen.has(row.incident)) return false;
    seen.add(row.incident);
    return true;
  });
  return firsts.slice(0, printedDetails);
}

function expandForPrint(data, redraw) {
  const place = document.getElementById('printed');
  let theme;
  addEventListener('beforeprint', () => {
    theme = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = 'light';
    redraw();
    const details = leaders(data).map((row) => make('article', {class: 'detail'}, make('h3', {}, `Row ${grouped.format(row.row)}`), rowDetail(data, row)));
    place.replaceChildren(...(details.length > 0 ? [make('h2', {}, 'The rarest row of each incident'), ...details] : []));
  });
  addEventListener('afterprint', () => {
    if (theme === undefined) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    redraw();
    place.replaceChildren();
  });
}
