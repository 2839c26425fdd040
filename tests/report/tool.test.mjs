// SPDX-License-Identifier: Apache-2.0
// Reports as the tool writes them: of a table, of a mixed table, of series, and of a malicious file.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {close, dataOf, open, reportOf} from './browser.mjs';
import {seriousProblems} from './axe.mjs';

after(close);

const reports = {
  'a table': ['examples/fleet.csv', '--label', 'fault'],
  'a mixed table': ['examples/orders.csv', '--schema', 'examples/orders.schema.json', '--label', 'fraud', '--id', 'order_id'],
  series: ['examples/traffic.csv', '--label', 'fault', '--window', '4', '--time', 'time', '--by', 'host', '--max-gap', '15min'],
};

for (const [name, flags] of Object.entries(reports)) {
  test(`the report of ${name} shows each of its rows without an error`, async () => {
    const file = reportOf(...flags);
    const data = dataOf(file);
    const {page, troubles} = await open(file, {reducedMotion: 'reduce'});
    assert.equal(await page.locator('#headline').innerText(), data.headline);
    assert.equal(await page.locator('#series').isVisible(), data.series !== null);
    for (const row of data.rows) {
      await page.evaluate((number) => location.hash = `#row-${number}`, row.row);
      await page.waitForFunction((number) => document.querySelector('.anomalies tr.chosen a').hash === `#row-${number}`, row.row);
      assert.equal(await page.locator('#detail .big-reason').innerText(), row.reason);
      assert.equal(await page.locator('#detail .figures:not(.windows) figure').count(), row.conditions.length);
      assert.equal(await page.locator('#detail .pair').count(), row.pair === null ? 0 : 1);
    }
    const text = (await page.locator('body').innerText()).replaceAll("'NaN'", '');  // SQL may contain it
    assert.doesNotMatch(text, /\b(null|undefined|NaN|\[object)/);
    assert.deepEqual(troubles, []);
  });

  test(`axe finds nothing serious in the report of ${name}`, async () => {
    const {page} = await open(reportOf(...flags), {bypassCSP: true});
    assert.deepEqual(await seriousProblems(page), []);
  });
}

test('names and values of a file that means harm stay text', async () => {
  const markup = '</script><script>window.hacked=1</script>';
  const odd = [markup, 'two\u2028lines', '\u202eמזרח', '👩‍👩‍👧', 'x'.repeat(1 << 20)];
  const lines = [`size,"<img src=x onerror=window.hacked=1>",${'y'.repeat(1 << 20)}`];
  for (let i = 0; i < 400; i += 1) lines.push(`${i % 17},${['a', 'b', 'c'][i % 3]},${i % 5}`);
  odd.forEach((value, i) => lines.push(`${900 + 10 * i},"${value}",${90 + i}`));
  const file = reportOf(`${lines.join('\n')}\n`, '--min-bits', '1');
  const data = dataOf(file);
  assert.ok(data.rows.length >= odd.length);
  const {page, troubles} = await open(file);
  for (const row of data.rows) {
    await page.evaluate((number) => location.hash = `#row-${number}`, row.row);
    await page.waitForFunction((number) => document.querySelector('.anomalies tr.chosen a').hash === `#row-${number}`, row.row);
  }
  assert.match(await page.locator('#detail, #columns').allInnerTexts().then(String), /<img src=x onerror/);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1400);
  assert.deepEqual(troubles, []);
});
