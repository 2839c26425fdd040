// SPDX-License-Identifier: Apache-2.0
// Made tables as CSV texts, the same every time: one of 1,555 columns, and daily sales.

/** Returns a generator of numbers between 0 and 1. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function csv(heads, n, line) {
  return `${[heads, ...Array.from({length: n}, (_, i) => line(i))].map((one) => one.join(',')).join('\n')}\n`;
}

/** Flags that are mostly 0, and one column of numbers with missing values and a value far beyond the others. */
export function wideTable() {
  const next = numbers(7);
  const heads = Array.from({length: 1555}, (_, i) => (i === 1554 ? 'width' : `flag_${i}`));
  const width = (row) => (row % 4 === 0 ? '' : row === 33 ? 9999 : 1000 + Math.floor(100 * next()));
  return csv(heads, 300, (row) => heads.map((_, i) => (i === 1554 ? width(row) : Number(next() < 0.01))));
}

/** Dates without a clock, with a day of hardly any visits and one of far too much revenue. */
export function dailySales() {
  const next = numbers(5);
  const dateOf = (i) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
  const visits = (i) => (i === 300 ? 2000 : 120000 + Math.floor(9000 * next()));
  const revenue = (i) => (i === 420 ? 9000000 : 1500000 + Math.floor(90000 * next()));
  return csv(['day', 'visits', 'revenue'], 500, (i) => [dateOf(i), visits(i), revenue(i)]);
}
