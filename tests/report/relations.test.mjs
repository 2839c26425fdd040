// SPDX-License-Identifier: Apache-2.0
// The picture of the columns that go together.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {close, open, pageOf, sample} from './browser.mjs';
import {seriousProblems} from './axe.mjs';

after(close);

const picture = (page) => page.locator('#columns figure.related');
const withRelations = (names, pairs, n_columns = names.length) => pageOf({...sample(), relations: {names, pairs, n_columns, n_pairs: pairs.length}});

test('each pair has a cell where its two columns meet, the stronger the less transparent', async () => {
  const {page, troubles} = await open(pageOf(sample()));
  const {names, pairs} = sample().relations;
  const cells = await picture(page).locator('.relations .cell').evaluateAll((all) => all.map((one) => ({title: one.textContent, x: one.x.baseVal.value, y: one.y.baseVal.value, shade: Number(one.getAttribute('fill-opacity'))})));
  assert.deepEqual(cells.map((one) => one.title), pairs.map(([a, b, nats]) => `${names[a]} and ${names[b]}: ${nats.toFixed(2)} nats`));
  assert.deepEqual(cells.map((one) => [one.x / 15, one.y / 15]), pairs.map(([a, b]) => [a, b]));
  for (let i = 1; i < cells.length; i += 1) assert.ok(cells[i].shade < cells[i - 1].shade, `${cells[i].shade} after ${cells[i - 1].shade}`);
  assert.deepEqual(await picture(page).locator('text.name').allTextContents(), names);
  assert.match(await picture(page).locator('.relations svg').getAttribute('aria-label'), /^4 pairs of 4 columns go together\. The strongest: requests and time\.hour_of_day \(0\.31 nats\), /);
  assert.deepEqual(troubles, []);
});

test('without relations there is no picture', async () => {
  const {page, troubles} = await open(withRelations([], []));
  assert.equal(await picture(page).count(), 0);
  assert.deepEqual(troubles, []);
});

test('two columns fit into their frame, and their names stay text', async () => {
  const {page, troubles} = await open(withRelations(['WIDE WWWWWWW', '<b>weight</b>'], [[0, 1, 0.2]]));
  assert.deepEqual(await picture(page).locator('text.name').allTextContents(), ['WIDE WWWWWWW', '<b>weight</b>']);
  const frame = await picture(page).locator('.relations').evaluate((box) => [box.scrollWidth, box.clientWidth]);
  assert.equal(frame[0], frame[1]);
  assert.match(await picture(page).locator('.relations svg').getAttribute('aria-label'), /^1 pair of 2 columns goes together\. It is: /);
  assert.deepEqual(troubles, []);
});

for (const colorScheme of ['light', 'dark']) {
  test(`of sixty columns those fit on a narrow screen that are related most, and stay readable in ${colorScheme} colours`, async () => {
    const names = Array.from({length: 60}, (_, i) => `${'long '.repeat(i % 9)}name ${i}`);
    const pairs = names.slice(1).map((_, i) => [i, i + 1, 1 / (i + 2)]);
    const {page, troubles} = await open(withRelations(names, pairs, 85), {viewport: {width: 360, height: 800}, colorScheme, bypassCSP: true});
    const texts = await picture(page).locator('text.name').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({height, top}) => ({height, top})));
    assert.ok(texts.length >= 10 && texts.length < 60, `${texts.length} names`);
    assert.equal(await picture(page).locator('.relations .cell').count(), texts.length - 1);
    for (const {height} of texts) assert.ok(height >= 10, `a name has a height of ${height} px`);
    for (let i = 1; i < texts.length; i += 1) assert.ok(texts[i].top - texts[i - 1].top >= 12, 'names overlap');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    assert.match(await picture(page).innerText(), new RegExp(`The ${texts.length} columns with the strongest relations of 85 are drawn`));
    assert.deepEqual(await seriousProblems(page), []);
    assert.deepEqual(troubles, []);
  });
}
