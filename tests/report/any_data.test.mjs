// SPDX-License-Identifier: Apache-2.0
// Data of every size and with every text: nothing breaks, and texts are never interpreted as markup.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {close, open, pageOf, sample} from './browser.mjs';

after(close);

const markup = '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=2">';
const hostile = {
  markup,
  'the end of a line': 'before\u2028after\u2029\u0000',
  'right to left': '\u202eמזרח תיכון 123',
  emoji: '👩‍👩‍👧‍👦🌲',
  'a word of 1 MB': 'x'.repeat(1 << 20),
};

/** Returns the same data with every text replaced by `text`. */
function withText(value, text) {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((one) => withText(one, text));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withText(one, text)]));
}

for (const [name, text] of Object.entries(hostile)) {
  test(`${name} stays text`, async () => {
    const data = withText(sample(), name === 'a word of 1 MB' ? 'y'.repeat(5000) : text);
    data.columns[0].name = text;
    const {page, troubles} = await open(pageOf(data), {viewport: {width: 1000, height: 800}});
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator('img:not(svg *)').count(), 0);
    assert.equal(await page.locator('h1').evaluate((element) => element.textContent), data.title);
    assert.equal(await page.locator('.columns th bdi').evaluateAll((all, wanted) => all.some((one) => one.textContent === wanted), text), true);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1000);
    assert.deepEqual(troubles, []);
  });
}

test('no anomalies: the page says so', async () => {
  const data = {...sample(), rows: [], incidents: [], pairs: [], n_anomalies: 0, headline: 'no anomalies in 336 rows', series: null};
  data.scores.threshold = null;
  const {page, troubles} = await open(pageOf(data), {hash: '#row-5'});
  assert.match(await page.locator('#incidents').innerText(), /No row stands out/);
  assert.equal(await page.locator('.columns tbody tr').count(), data.columns.length);
  assert.deepEqual(troubles, []);
});

test('rows below the threshold only: the page says so', async () => {
  const data = sample();
  data.rows = data.rows.map((row) => ({...row, is_anomaly: false, incident: null}));
  Object.assign(data, {incidents: [], n_anomalies: 0});
  const {page, troubles} = await open(pageOf(data));
  assert.match(await page.locator('#incidents').innerText(), /No row is an anomaly\. The rows below have the highest scores/);
  assert.match(await page.locator('#columns').innerText(), /over the listed rows/);
  assert.equal(await page.locator('.anomalies tbody tr').count(), data.rows.length);
  assert.deepEqual(troubles, []);
});

test('one row of one column', async () => {
  const data = sample();
  const axis = {...data.axes[0], bars: [1], ticks: [[0, '5']]};
  Object.assign(data, {axes: [axis], columns: [data.columns[1]], pairs: [], incidents: [], series: null, n_rows: 1, notes: []});
  data.relations = {names: [], pairs: [], n_columns: 0, n_pairs: 0};
  data.columns[0].axes = [0];
  data.rows = [{...data.rows[5], columns: [], id: null, time: '', label: null}];
  const {page, troubles} = await open(pageOf(data));
  assert.equal(await page.locator('.anomalies tbody tr').count(), 1);
  assert.deepEqual(troubles, []);
});

test('hundreds of rows, columns and incidents', async () => {
  const data = sample();
  const many = (n, make) => Array.from({length: n}, (_, i) => make(i));
  data.columns = many(150, (i) => ({...data.columns[1], name: `column ${i}`, mean_bits: i / 10}));
  data.incidents = many(100, (i) => ({...data.incidents[1], reason: `reason ${i}`, row: null}));
  const row = data.rows[1];
  data.rows = many(200, (i) => ({...row, row: i + 1, bits: 9 - i / 100, incident: i % 100, columns: many(100, (column) => ({column, bits: 3 - column / 20, value: '1'}))}));
  const {page, troubles} = await open(pageOf(data), {viewport: {width: 1400, height: 900}});
  assert.equal(await page.locator('.anomalies tbody tr').count(), 200);
  await page.getByRole('button', {name: 'reason 7', exact: true}).click();
  assert.equal(await page.locator('.anomalies tbody tr').count(), 2);
  assert.equal(await page.locator('.columns tbody th').first().innerText().then((text) => text.split('\n')[0]), 'column 149');
  assert.equal(await page.locator('#detail details').count(), 1);
  assert.ok((await page.locator('.lists').boundingBox()).height < 900);
  assert.deepEqual(troubles, []);
});

test('of many levels those of the condition and the most common have lines, the others are summed up', async () => {
  const data = sample();
  const n = 40;
  data.axes[3] = {...data.axes[3], levels: Array.from({length: n}, (_, i) => `level ${i}`), bars: Array.from({length: n}, (_, i) => 100 - i)};
  data.rows[4].conditions[0] = {...data.rows[4].conditions[0], spans: [[30 / n, 1]], at: 35.5 / n, value: 'level 35'};
  data.rows[4].pair = null;
  const {page} = await open(pageOf(data), {hash: '#row-61'});
  const texts = await page.locator('#detail .figures figure').first().locator('svg text').allTextContents();
  for (const shown of ['level 0', 'level 35', 'level 30', '3 others inside', '26 others outside']) assert.ok(texts.includes(shown), `${shown} in ${texts}`);
  assert.ok(texts.some((text) => text === '65 ◂ this row'), String(texts));
});

test('missing values have a bar of their own', async () => {
  const data = sample();
  data.rows[0].conditions[0] = {...data.rows[0].conditions[0], words: 'latency is missing', spans: [], holds_missing: true, at: null, value: ''};
  const {page} = await open(pageOf(data));
  const image = page.locator('#detail .figures figure').first();
  assert.equal(await image.locator('.span').count(), 1);
  assert.equal(await image.locator('text.marked').textContent(), 'missing');
});
