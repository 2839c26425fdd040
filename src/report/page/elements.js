// SPDX-License-Identifier: Apache-2.0
// Elements and texts. Every text of the data becomes a text node, never markup.
'use strict';

/** Makes an element with attributes, listeners (`onclick`: a function) and children: nodes or texts. Nulls are left out. */
function make(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ''));
  return element;
}

/** Wraps a text of the data, which may be right-to-left without affecting the text around it. */
function words(text) {
  return make('bdi', {}, text);
}

/** Wraps a time, or a range of times, that breaks between dates and clock times only. */
function timeWords(text) {
  return make('bdi', {}, text.split(' ').flatMap((part, i) => [i > 0 ? ' ' : '', make('span', {class: 'whole'}, part)]));
}

const grouped = new Intl.NumberFormat('en-US');

const fourDigits = new Intl.NumberFormat('en-US', {maximumSignificantDigits: 4});
const sixDigits = new Intl.NumberFormat('en-US', {maximumSignificantDigits: 6});

/** Returns a number with at most six digits, or as `format` says, and with thousands separators; very large and very small ones with a power of ten. */
function numberText(x, format = sixDigits) {
  if (x === null || x === undefined) return '\u2013';
  const size = Math.abs(x);
  return size !== 0 && (size >= 1e9 || size < 1e-4) ? x.toExponential(2).replace('e+', 'e') : format.format(x);
}

function counted(n, one, many = `${one}s`) {
  return `${grouped.format(n)} ${n === 1 ? one : many}`;
}

function bitsText(bits) {
  if (bits === null) return '';
  return bits.toFixed(1).replace(/^-0\.0$/, '0.0').replace('-', '\u2212');
}

function percentText(share) {
  if (share === null) return '';
  if (share === 0) return '0 %';
  const percent = share * 100;
  return percent < 0.1 ? '< 0.1 %' : `${percent.toFixed(percent < 10 ? 1 : 0)} %`;
}

/** Returns at most `limit` characters; emoji and letters with accents stay whole. */
function shortened(text, limit) {
  if (text.length <= limit) return text;
  const letters = [...text.slice(0, 4 * limit)];
  return letters.length <= limit ? text : `${letters.slice(0, limit - 1).join('')}\u2026`;
}

/** Makes a chart with a title above and instructions for reading it below. */
function figure(title, chart, caption) {
  return make('figure', {}, make('figcaption', {class: 'title'}, title), chart, caption && make('p', {class: 'caption'}, caption));
}

/** Makes a table that scrolls on its own, also by keyboard, if it is wider or longer than its place. */
function scrolling(label, table) {
  return make('div', {class: 'scrolling', tabindex: 0, role: 'region', 'aria-label': label}, table);
}

/** Makes column headings: title, optional class, and number of columns spanned. */
function headings(columns) {
  const cells = columns.map(([title, className, colspan]) => make('th', {scope: 'col', class: className, colspan}, title));
  return make('thead', {}, make('tr', {}, cells));
}
