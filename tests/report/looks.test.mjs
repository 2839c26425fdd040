// SPDX-License-Identifier: Apache-2.0
// Requirements for every appearance of the page: colours, print, narrow screens and screen readers.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {close, open, pageOf, sample} from './browser.mjs';
import {seriousProblems} from './axe.mjs';

after(close);
const file = pageOf(sample());

/** Returns the lightness of a colour, from 0 to 255. */
const lightness = (page, selector, property) => page.locator(selector).first().evaluate((element, name) => {
  const [red, green, blue] = getComputedStyle(element)[name].match(/[\d.]+/g).map(Number);
  return (red + green + blue) / 3;
}, property);

for (const colorScheme of ['light', 'dark']) {
  for (const hash of ['#row-242', '#row-61', '#row-90']) {
    test(`axe finds nothing serious in ${colorScheme} colours with ${hash} open`, async () => {
      const {page} = await open(file, {hash, colorScheme, bypassCSP: true});
      assert.deepEqual(await seriousProblems(page), []);
    });
  }
}

test('colours follow the system until the button says otherwise', async () => {
  const {page, troubles} = await open(file, {colorScheme: 'dark'});
  assert.ok(await lightness(page, 'body', 'backgroundColor') < 60);
  await page.getByRole('button', {name: 'Light colours'}).click();
  assert.ok(await lightness(page, 'body', 'backgroundColor') > 240);
  assert.ok(await lightness(page, 'body', 'color') < 60);
  await page.getByRole('button', {name: 'Dark colours'}).click();
  assert.ok(await lightness(page, 'body', 'backgroundColor') < 60);
  assert.deepEqual(troubles, []);
});

test('charts over time are redrawn in the other colours', async () => {
  const {page} = await open(file, {colorScheme: 'light'});
  const pixels = () => page.locator('.plot canvas').nth(1).evaluate((canvas) => canvas.toDataURL());
  const light = await pixels();
  await page.getByRole('button', {name: 'Dark colours'}).click();
  await page.waitForFunction(() => document.querySelectorAll('.plot canvas').length > 1);
  assert.notEqual(await pixels(), light);
});

for (const width of [360, 700, 1400]) {
  test(`the page is not wider than a screen of ${width} px`, async () => {
    const {page} = await open(file, {viewport: {width, height: 800}, hash: '#row-242'});
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
  });
}

test('on a narrow screen a click on a row brings its detail into view', async () => {
  const {page} = await open(file, {viewport: {width: 360, height: 700}, reducedMotion: 'reduce'});
  await page.locator('.anomalies tbody a').nth(2).click();
  const {y} = await page.locator('#detail').boundingBox();
  assert.ok(y >= 0 && y < 300, `the detail begins at ${y}`);
});

test('on paper all is black on white, nothing is cut off, and the leader of each incident is explained', async () => {
  const {page, troubles} = await open(file, {colorScheme: 'dark', viewport: {width: 720, height: 1000}});
  await page.emulateMedia({media: 'print', colorScheme: 'dark'});
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.ok(await lightness(page, 'body', 'backgroundColor') > 250);
  assert.ok(await lightness(page, 'body', 'color') < 10);
  assert.deepEqual(await page.locator('#printed h3').allInnerTexts(), ['Row 141', 'Row 242', 'Row 61']);
  assert.equal(await page.getByLabel('Filter').isVisible(), false);
  assert.equal(await page.locator('.anomalies thead').getByText('Reason').isVisible(), true);
  assert.ok((await page.locator('.uplot').first().boundingBox()).width <= 720);
  const cutOff = () => [...document.querySelectorAll('.scrolling, pre')].filter((box) => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1).map((box) => box.ariaLabel);
  assert.deepEqual(await page.evaluate(cutOff), []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 720);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({media: 'screen', colorScheme: 'dark'});
  assert.equal(await page.locator('#printed article').count(), 0);
  assert.ok(await lightness(page, 'body', 'backgroundColor') < 60);
  assert.deepEqual(troubles, []);
});
