// SPDX-License-Identifier: Apache-2.0
// Charts over time: one range for all of them, zoomed and panned by pointer and buttons, and spans that lead to rows.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {close, open, pageOf, sample} from './browser.mjs';

after(close);
const file = pageOf(sample());
const whole = '2026-03-02 01:00 – 2026-03-09 00:00';  // Vienna is an hour ahead of UTC
const range = (page) => page.locator('#range').innerText();

/** Returns the ends of the shown range, in seconds. */
async function ends(page) {
  const [from, to] = (await range(page)).split(' – ');
  const seconds = (text) => Date.parse(`${text.replace(' ', 'T')}Z`) / 1000;
  return [seconds(from), seconds(to.length > 8 ? to : `${from.slice(0, 11)}${to}`)];
}

async function drag(page, from, to) {
  const over = page.locator('.plot .u-over').first();
  await over.scrollIntoViewIfNeeded();
  const {x, y, width, height} = await over.boundingBox();
  await page.mouse.move(x + from * width, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + (from + to) / 2 * width, y + height / 2);
  await page.mouse.move(x + to * width, y + height / 2);
  await page.mouse.up();
}

test('a table without times has no section of series', async () => {
  const {page, troubles} = await open(pageOf({...sample(), series: null}));
  assert.equal(await page.locator('#series').isVisible(), false);
  assert.equal(await page.getByRole('link', {name: 'Series'}).count(), 0);
  assert.deepEqual(troubles, []);
});

test('dragging zooms, shift-dragging pans, a double click shows the whole', async () => {
  const {page, troubles} = await open(file);
  assert.equal(await range(page), whole);
  const [first, last] = await ends(page);
  await drag(page, 0.25, 0.5);
  const [from, to] = await ends(page);
  assert.ok(Math.abs(from - (first + (last - first) / 4)) < 7200 && Math.abs(to - (first + last) / 2) < 7200, await range(page));
  await page.keyboard.down('Shift');
  await drag(page, 0.75, 0.25);
  await page.keyboard.up('Shift');
  const [later, end] = await ends(page);
  assert.ok(Math.abs(later - from - (to - from) / 2) < 7200 && Math.abs((end - later) - (to - from)) < 5, await range(page));
  await page.locator('.plot .u-over').first().dblclick();
  assert.equal(await range(page), whole);
  assert.deepEqual(troubles, []);
});

test('buttons do the same without a pointer', async () => {
  const {page} = await open(file);
  const press = async (name) => {
    await page.getByRole('button', {name, exact: true}).focus();
    await page.keyboard.press('Enter');
    return ends(page);
  };
  const [first, last] = await ends(page);
  const [from, to] = await press('Zoom in');
  assert.equal(to - from, (last - first) / 2);
  const later = await press('Later');
  assert.equal(later[1], last, 'stops at the end');
  const earlier = await press('Earlier');
  assert.equal(earlier[1] - earlier[0], (last - first) / 2);
  assert.ok(earlier[0] < later[0]);
  assert.deepEqual(await press('Zoom out'), [first, last]);
  await press('Zoom in');
  assert.deepEqual(await press('Whole time range'), [first, last]);
});

test('a click on a span shows the row that it is about', async () => {
  const {page} = await open(file, {hash: '#row-61'});
  const track = sample().series.tracks[0];
  const span = track.spans[1];
  const place = ((span.from + span.to) / 2 - track.times[0]) / (track.times.at(-1) - track.times[0]);
  await drag(page, place, place);
  assert.match(await page.locator('#detail .which').innerText(), /^Row 141/);
});

test('another series has its own spans, whose links lead to rows', async () => {
  const {page, troubles} = await open(file);
  await page.getByLabel('host').selectOption({label: 'green (1 span)'});
  const link = page.locator('.spans a');
  assert.deepEqual(await link.allInnerTexts(), ['2026-03-07 01:00 – 04:00']);
  await link.click();
  assert.match(await page.locator('#detail .which').innerText(), /^Row 242/);
  assert.deepEqual(troubles, []);
});

test('of many metrics the first ones are drawn, in the order of the data after those of the top reason', async () => {
  const data = sample();
  const [metric] = data.series.tracks[0].metrics;
  const names = Array.from({length: 24}, (_, i) => `metric ${i}`);
  data.series.tracks[0].metrics = names.map((name) => ({...metric, name}));
  for (const row of data.rows) row.metrics = ['metric 17'];
  const {page} = await open(pageOf(data));
  const titles = page.locator('.charts .title');
  assert.equal(await titles.count(), 6);
  assert.deepEqual((await titles.allInnerTexts()).map((text) => text.split(',')[0]), ['metric 17', 'Score', 'metric 0', 'metric 1', 'metric 2', 'metric 3']);
  await page.getByRole('button', {name: 'Show all 24 metrics'}).click();
  assert.equal(await titles.count(), 25);
});

test('a zone that the browser does not know becomes UTC, and the page says so', async () => {
  const data = sample();
  data.series.zone = 'Mars/Olympus';
  const {page, troubles} = await open(pageOf(data));
  assert.equal(await range(page), '2026-03-02 00:00 – 2026-03-08 23:00');
  assert.match(await page.locator('#series').innerText(), /Times are in UTC \(this browser does not know Mars\/Olympus\)/);
  assert.deepEqual(troubles, []);
});

test('the calendar counts each hour of the week', async () => {
  const {page} = await open(file);
  const titles = await page.locator('#series .share title').allTextContents();
  assert.equal(titles.length, 168);
  const {calendar_rows: rows, calendar_anomalies: anomalies} = sample().series;
  const busy = anomalies.findIndex((n) => n > 0);
  assert.match(titles[busy], new RegExp(`: ${anomalies[busy]} of ${rows[busy]} rows`));
});

test('a metric without a band is one line, whatever the others are', async () => {
  const data = sample();
  const [track] = data.series.tracks;
  Object.assign(track.metrics[0], {low: [], high: []});
  data.series.tracks = [track];
  const {page, troubles} = await open(pageOf(data));
  const legend = (name) => page.locator('.charts figure', {hasText: name}).locator('.u-legend').innerText();
  assert.doesNotMatch(await legend(track.metrics[0].name), /lowest/);
  assert.match(await legend(track.metrics[1].name), /lowest/);
  assert.deepEqual(troubles, []);
});

test('what is left out of the series is said there', async () => {
  const {page} = await open(file);
  assert.match(await page.locator('#series .notes').innerText(), /^Rows without a time are not drawn/);
});

test('a series of one moment and one of none can be drawn', async () => {
  for (const n of [1, 0]) {
    const data = sample();
    const [track] = data.series.tracks;
    const few = (values) => values.slice(0, n);
    data.series.tracks = [{...track, times: few(track.times), scores: few(track.scores), spans: [],
      metrics: track.metrics.map((metric) => ({...metric, low: few(metric.low), mean: few(metric.mean), high: few(metric.high)}))}];
    const {page, troubles} = await open(pageOf(data));
    assert.match(await page.locator('#series').innerText(), /No anomalies in this series/);
    assert.deepEqual(troubles, []);
  }
});
