// SPDX-License-Identifier: Apache-2.0
// The page by itself: it opens, requests nothing, and shows its data.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {join} from 'node:path';
import {close, open, pageOf, root, sample} from './browser.mjs';

after(close);

test('the page opens without an error and asks for nothing', async () => {
  const {page, troubles} = await open(pageOf(sample()));
  assert.equal(await page.title(), 'Anomalies in samples.csv');
  assert.equal(await page.locator('h1').innerText(), 'Anomalies in samples.csv');
  assert.equal(await page.locator('.anomalies tbody tr').count(), sample().rows.length);
  assert.deepEqual(troubles, []);
});

test('the template opens as it is', async () => {
  const {page, troubles} = await open(join(root, 'src/report/template.html'));
  assert.equal(await page.locator('.anomalies tbody tr').count(), sample().rows.length);
  assert.deepEqual(troubles.filter((trouble) => !/asked for .*\/(page|node_modules)\//.test(trouble)), []);
});

test('the policy forbids what is not in the page', async () => {
  const {page, troubles} = await open(pageOf(sample()));
  const policy = await page.locator('meta[http-equiv=Content-Security-Policy]').getAttribute('content');
  assert.match(policy, /^default-src 'none'; script-src 'sha256-/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.hacked = 1';
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.match(troubles.join('\n'), /Content Security Policy/);
});
