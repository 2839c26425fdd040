// SPDX-License-Identifier: Apache-2.0
// The list of anomalies and the detail of one: sorting, filtering, copying, and choosing by pointer, keyboard and link.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {close, open, pageOf, sample} from './browser.mjs';

after(close);
const file = pageOf(sample());
const numbers = (page) => page.locator('.anomalies tbody a').allInnerTexts();
const chosen = (page) => page.locator('.anomalies tr.chosen a').innerText();

test('the rarest row comes first and is shown', async () => {
  const {page} = await open(file);
  assert.deepEqual(await numbers(page), ['141', '242', '244', '246', '61', '90']);
  assert.equal(await chosen(page), '141');
  assert.equal(await page.locator('#detail .big-reason').innerText(), 'latency = 63 ms');
});

test('every column sorts both ways and says so', async () => {
  const {page} = await open(file);
  const heads = page.locator('.anomalies thead th');
  for (let i = 0; i < await heads.count(); i += 1) {
    await heads.nth(i).getByRole('button').click();
    const first = [await heads.nth(i).getAttribute('aria-sort'), (await numbers(page)).join()];
    await heads.nth(i).getByRole('button').click();
    const second = [await heads.nth(i).getAttribute('aria-sort'), (await numbers(page)).join()];
    assert.deepEqual([first[0], second[0]].sort(), ['ascending', 'descending']);
    assert.notEqual(first[1], second[1]);
    assert.equal(await page.locator('.anomalies th[aria-sort]').count(), 1);
  }
  await page.getByRole('button', {name: 'Row', exact: true}).click();
  assert.deepEqual(await numbers(page), ['61', '90', '141', '242', '244', '246']);
});

test('the filter looks at reasons, ids, row numbers and values', async () => {
  const {page} = await open(file);
  for (const [words, left] of [['REQUESTS <', ['242', '244', '246']], ['green/044', ['90']], ['141', ['141']], ['63 ms', ['141']]]) {
    await page.getByLabel('Filter').fill(words);
    assert.deepEqual(await numbers(page), left, words);
  }
  assert.equal(await page.locator('#anomalies .count[role=status]').innerText(), '1 of 6 rows');
  await page.getByLabel('Filter').fill('nothing like this');
  assert.deepEqual(await numbers(page), []);
});

test('an incident leaves only its anomalies, until it is chosen again', async () => {
  const {page} = await open(file);
  const incident = page.getByRole('button', {name: 'requests = 3 and latency = 24 ms'});
  await incident.click();
  assert.deepEqual(await numbers(page), ['242', '244', '246']);
  assert.equal(await incident.getAttribute('aria-pressed'), 'true');
  assert.equal(await chosen(page), '242');
  await incident.click();
  assert.equal((await numbers(page)).length, 6);
});

test('arrow keys, Home and End walk through the list', async () => {
  const {page} = await open(file);
  await page.locator('.anomalies tbody a').first().focus();
  for (const [key, row] of [['ArrowDown', '242'], ['ArrowDown', '244'], ['ArrowUp', '242'], ['End', '90'], ['ArrowDown', '90'], ['Home', '141']]) {
    await page.keyboard.press(key);
    assert.equal(await chosen(page), row, key);
    assert.equal(await page.evaluate(() => document.activeElement.innerText), row);
  }
});

test('Enter on a row and a click on it show its detail', async () => {
  const {page} = await open(file);
  await page.locator('.anomalies tbody a').nth(4).focus();
  await page.keyboard.press('Enter');
  assert.match(await page.locator('#detail .which').innerText(), /^Row 61 · blue\/030/);
  await page.locator('.anomalies tbody tr').nth(5).locator('td.reason').click();
  assert.match(await page.locator('#detail .which').innerText(), /^Row 90/);
  assert.equal(await page.evaluate(() => location.hash), '#row-90');
});

test('a link to a row opens it, also from impostors and beyond a filter', async () => {
  const {page} = await open(file, {hash: '#row-244'});
  assert.equal(await chosen(page), '244');
  await page.locator('#detail').getByRole('link', {name: '246'}).click();
  await page.waitForFunction(() => document.querySelector('#detail .which').innerText.startsWith('Row 246'));
  assert.equal(await chosen(page), '246');
  await page.getByRole('button', {name: 'latency = 63 ms'}).click();
  await page.evaluate(() => location.hash = '#row-61');
  await page.waitForFunction(() => document.querySelector('#detail .which').innerText.startsWith('Row 61'));
  assert.equal(await chosen(page), '61');
});

test('previous and next stop at the ends', async () => {
  const {page} = await open(file);
  const [previous, next] = [page.getByRole('button', {name: 'Previous'}), page.getByRole('button', {name: 'Next'})];
  assert.equal(await previous.isDisabled(), true);
  for (let i = 0; i < 5; i += 1) await next.click();
  assert.equal(await chosen(page), '90');
  assert.equal(await next.isDisabled(), true);
  await previous.click();
  assert.equal(await chosen(page), '61');
});

test('the detail draws every condition, the pair and the bits of columns', async () => {
  const {page} = await open(file, {hash: '#row-242'});
  const {conditions, columns} = sample().rows[1];
  assert.equal(await page.locator('#detail .figures figure').count(), conditions.length);
  for (const [i, condition] of conditions.entries()) {
    const image = page.locator('#detail .figures figure').nth(i).getByRole('img');
    assert.match(await image.getAttribute('aria-label'), new RegExp(`The condition ${condition.words} is shaded; this row has ${condition.value}`));
    assert.equal(await image.locator('.mark').count(), 1);
    assert.equal(await image.locator('.span').count(), condition.spans.length);
  }
  assert.equal(await page.locator('#detail .pair .point').count(), sample().pairs[0].points.length);
  assert.equal(await page.locator('#detail .pair .cube').count(), 1);
  assert.equal(await page.locator('#detail .pair .peer').count(), 2);
  assert.equal(await page.locator('#detail .bits tbody tr').count(), columns.length);
});

test('the query is copied', async () => {
  const {page, troubles} = await open(file);
  await page.getByRole('button', {name: 'Copy'}).click();
  await page.waitForFunction(() => document.getElementById('announcement').textContent === 'Copied');
  await page.getByLabel('Filter').focus();
  await page.keyboard.press('Control+V');
  assert.equal(await page.getByLabel('Filter').inputValue(), sample().rows[0].sql);
  assert.deepEqual(troubles, []);
});
