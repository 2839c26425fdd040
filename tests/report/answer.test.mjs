// SPDX-License-Identifier: Apache-2.0
// The report opens with the answer: incidents, then the series, then rows; on wide and narrow screens, for five kinds of data.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {close, dataOf, open, pageOf, reportOf, sample} from './browser.mjs';
import {dailySales, wideTable} from './made_tables.mjs';

after(close);

const traffic = ['examples/traffic.csv', '--label', 'fault', '--window', '4', '--time', 'time', '--by', 'host', '--max-gap', '15min'];
const reports = {
  'a numeric table': reportOf('examples/fleet.csv', '--label', 'fault'),
  'a mixed table': reportOf('examples/orders.csv', '--schema', 'examples/orders.schema.json', '--label', 'fraud', '--id', 'order_id'),
  'two series': reportOf(...traffic),
  'daily sales': reportOf(dailySales(), '--time', 'day', '--window', '3'),
  '1,555 columns': reportOf(wideTable(), '--min-bits', '-20'),
};
const file = pageOf(sample());
const top = (page, selector) => page.locator(selector).first().evaluate((element) => element.getBoundingClientRect().top);
const incidents = (page) => page.locator('.incidents tbody tr');

/** Returns the sample with incidents in time, of which the second one is of another series. */
function inTime() {
  const data = sample();
  data.is_in_time = true;
  const [blue, green] = data.series.tracks;
  const incident = (track, span, row, more) => ({...data.incidents[0], key: track.key, from: span.from, to: span.to, row, bits: span.bits, n_anomalies: span.n_anomalies, ...more});
  data.incidents = [
    incident(blue, blue.spans[1], 0, {first_time: '2026-03-04 22:00', last_time: '2026-03-05 01:00', worst_time: '2026-03-04 22:00', length: '3 h'}),
    incident(green, green.spans[0], 1, {first_time: '2026-03-07 00:00', last_time: '2026-03-07 02:00', worst_time: '2026-03-07 00:00', length: '2 h', is_open: true}),
  ];
  data.rows.forEach((row) => row.incident = [0, 1, 1, 1, null, null][data.rows.indexOf(row)]);
  const hours = [19, 20, 21, 22, 23].map((hour) => Date.UTC(2026, 2, 4, hour) / 1000);
  data.rows[0].window = {places: hours, is_time: true, from: hours[1], to: hours[3], at: 3, n_samples: 3, metrics: [{name: 'latency', unit: 'ms', values: [24, 25, null, 63, 26]}]};
  return data;
}

test('incidents come first, then the series with its calendar, the rows, the columns and the data', async () => {
  const {page} = await open(file);
  const order = ['.incidents', '.charts', '.share', '.anomalies', '.columns', '#about h2', '#made-of'];
  const tops = [];
  for (const selector of order) tops.push(await top(page, selector));
  assert.deepEqual(tops, [...tops].sort((a, b) => a - b), String(order));
  assert.ok(tops[0] < 300, `the incidents begin at ${tops[0]}`);
});

test('an incident shows the value, the time and the metrics of its worst row before its bits', async () => {
  const {page} = await open(file);
  assert.deepEqual(await page.locator('.incidents thead th').allInnerTexts(), ['Value', 'Time', 'Metrics', 'Most bits', 'Anomalies']);
  const first = await incidents(page).first().locator('td').allInnerTexts();
  assert.match(first[0], /^latency = 63 ms\s+latency > 41.5: only 1 of 336 rows/);
  assert.equal(first[1], '2026-03-04 22:00');
  assert.match(first[2], /^latency 63 ms \+7.1$/);
  assert.deepEqual(first.slice(3), ['7.9', '1']);
});

test('what the report was made of is folded up, and unfolds', async () => {
  const {page} = await open(reports['a numeric table']);
  const options = page.locator('#made-of').getByText('n_estimators 100');
  assert.equal(await options.isVisible(), false);
  await page.getByText('What this report was made of').click();
  assert.equal(await options.isVisible(), true);
  assert.equal(await page.locator('.facts tbody tr').count(), dataOf(reports['a numeric table']).facts.length);
});

test('the metric that the top reason names is drawn first, whatever else gives anomalies more bits', async () => {
  for (const metrics of [['latency', 'requests'], ['requests', 'latency']]) {
    const data = sample();
    data.rows[0].metrics = metrics;
    const {page} = await open(pageOf(data));
    assert.match(await page.locator('.charts .title').first().innerText(), new RegExp(`^${metrics[0]}`));
  }
});

test('incidents in time have their length, worst moment and series, and choosing one zooms to it', async () => {
  const {page, troubles} = await open(pageOf(inTime()));
  assert.deepEqual(await page.locator('.incidents thead th').allInnerTexts(), ['Value at its worst', 'host', 'Time', 'Metrics', 'Most bits', 'Anomalies']);
  const texts = await incidents(page).allInnerTexts();
  assert.match(texts[0], /blue\s+2026-03-04 22:00 – 2026-03-05 01:00\s+3 h, worst 22:00/);
  assert.match(texts[0], /latency 25 to 63 \+7.1/);
  assert.match(texts[1], /green\s+2026-03-07 00:00 – 02:00\s+2 h, worst 00:00, open at the end/);
  assert.equal(await page.locator('.spans').count(), 0, 'the list of spans would repeat the incidents');
  await incidents(page).nth(1).click();
  assert.equal(await page.getByLabel('host').inputValue(), '1');
  assert.match(await page.locator('#range').innerText(), /^2026-03-0[67] .* – (2026-03-07 )?\d\d:\d\d/);
  assert.deepEqual(await page.locator('.anomalies tbody a').allInnerTexts(), ['242', '244', '246']);
  await incidents(page).nth(1).click();
  assert.equal(await page.locator('#range').innerText(), '2026-03-02 01:00 – 2026-03-09 00:00');
  assert.deepEqual(troubles, []);
});

test('more than ten incidents are listed on demand', async () => {
  const data = sample();
  data.incidents = Array.from({length: 23}, (_, i) => ({...data.incidents[0], reason: `reason ${i}`, row: null}));
  const {page} = await open(pageOf(data));
  assert.equal(await incidents(page).count(), 10);
  await page.getByRole('button', {name: 'Show all 23 incidents'}).click();
  assert.equal(await incidents(page).count(), 23);
});

test('the card of a window draws it, with its samples shaded and the row marked', async () => {
  const {page} = await open(pageOf(inTime()));
  const image = page.locator('#detail .windows svg');
  assert.equal(await image.count(), 1);
  assert.match(await image.getAttribute('aria-label'), /^latency around this row, from 24 to 63; the window of 3 samples is shaded/);
  assert.deepEqual([await image.locator('.span').count(), await image.locator('.this-row').count(), await image.locator('.stroke').count()], [1, 1, 2], 'a missing value interrupts the line');
  await page.getByRole('button', {name: 'Next'}).click();
  assert.equal(await page.locator('#detail .windows').count(), 0);
});

test('each row of a series that the tool reports has the window of its score, which ends at the row', async () => {
  const {rows, incidents: found, is_in_time: isInTime} = dataOf(reports['two series']);
  for (const row of rows) {
    assert.equal(row.window.n_samples, 4);
    assert.equal(row.window.to, row.seconds);
    assert.equal(row.window.to - row.window.from, 3 * 900);
    assert.equal(row.window.places[row.window.at], row.seconds);
    assert.ok(row.window.metrics.length > 0);
  }
  assert.equal(isInTime, true);
  assert.ok(found.length < 8, `${found.length} incidents of 4 faults`);
});

test('1,555 columns are a table that pages', async () => {
  const {page, troubles} = await open(reports['1,555 columns']);
  const names = () => page.locator('.columns tbody th').allInnerTexts();
  assert.ok(await page.evaluate(() => document.documentElement.scrollHeight) < 6000);
  const first = await names();
  assert.equal(first.length, 25);
  assert.match(await page.locator('#columns').innerText(), /1 to 25 of 1,555 columns/);
  await page.getByRole('button', {name: 'Next columns'}).click();
  assert.equal(new Set([...first, ...await names()]).size, 50);
  await page.getByLabel('Find columns').fill('flag_155');
  assert.deepEqual((await names()).sort(), ['flag_155', 'flag_1550', 'flag_1551', 'flag_1552', 'flag_1553']);
  assert.equal(await page.getByRole('button', {name: 'Next columns'}).isDisabled(), true);
  assert.deepEqual(troubles, []);
});

/** Returns the pairs of labels that overlap within one picture. */
const runIntoEachOther = () => [...document.querySelectorAll('svg')].flatMap((svg) => {
  const boxes = [...svg.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()]).filter(([, box]) => box.width > 0);
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  return boxes.flatMap(([text, box], i) => boxes.slice(i + 1).filter(([, other]) => meet(box, other)).map(([other]) => `${text} | ${other}`));
});

test('the last tick of an axis keeps clear of the missing values beside it', async () => {
  const data = sample();
  data.axes[1].ticks = [[0, '0'], [1, '1000']];
  const {page} = await open(pageOf(data));
  assert.deepEqual(await page.evaluate(runIntoEachOther), []);
  const box = (text) => page.locator('#detail .figures svg').first().getByText(text, {exact: true}).boundingBox();
  const [last, missing] = [await box('1000'), await box('missing')];
  assert.ok(missing.x - last.x - last.width >= 4, `${missing.x - last.x - last.width} px between them`);
});

/** Returns what does not fit: elements beyond the screen, and boxes with more inside than they show from side to side. */
const clipped = () => [...document.querySelectorAll('body *')].filter((element) => {
  const box = element.getBoundingClientRect();
  if (box.width === 0 || box.height === 0 || element.closest('.skip, .unseen, .u-over, .u-under')) return false;
  const scrolls = element instanceof HTMLElement && getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
  return scrolls || box.right > innerWidth + 1 || box.left < -1;
}).map((element) => `${element.tagName}.${element.className?.baseVal ?? element.className}: ${element.textContent.slice(0, 40)}`);

for (const [name, report] of Object.entries(reports)) {
  for (const width of [390, 1280]) {
    test(`nothing is clipped and no labels overlap in the report of ${name} at ${width} px`, async () => {
      const {page, troubles} = await open(report, {viewport: {width, height: 844}});
      for (const row of dataOf(report).rows.slice(0, 6)) {
        await page.evaluate((number) => location.hash = `#row-${number}`, row.row);
        await page.waitForFunction((number) => document.querySelector('.anomalies tr.chosen a').hash === `#row-${number}`, row.row);
        assert.deepEqual(await page.evaluate(clipped), []);
        assert.deepEqual(await page.evaluate(runIntoEachOther), []);
      }
      assert.deepEqual(troubles, []);
    });
  }

  test(`whole numbers of five digits and more have separators in the report of ${name}`, async () => {
    const {page} = await open(report);
    const long = await page.evaluate(() => {
      const found = [];
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (node) => (node.parentElement.closest('script, pre, .id') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
      while (texts.nextNode()) found.push(...texts.currentNode.textContent.match(/(?<![\d.A-Za-z_-])\d{5,}(?!\d*\.)/g) ?? []);
      return found;
    });
    assert.deepEqual(long, []);
  });
}

test('dates have no clock times: not in the incidents, the rows, the series, the calendar and the facts', async () => {
  const report = reports['daily sales'];
  const {page} = await open(report);
  assert.doesNotMatch(await page.locator('body').evaluate((body) => body.textContent.replace(/<script.*?<\/script>/gs, '')).then((text) => text.split('{"title"')[0]), /00:00/);
  assert.equal(dataOf(report).series.has_clock, false);
  assert.equal(await page.locator('#range').innerText(), '2024-01-01 – 2025-05-14');
  assert.match(await incidents(page).first().innerText(), /2025-02-24/);
  assert.equal(await page.locator('#series .share').count() > 7, true);
  assert.equal(await page.locator('#series figure', {hasText: 'Anomalies by weekday'}).locator('svg').first().locator('rect').count(), 7);
});

test('changed columns come before the rows, the strongest first; without a comparison there is no such part', async () => {
  const {page, troubles} = await open(file);
  assert.ok(await top(page, '#changes') < await top(page, '.anomalies'));
  assert.match(await page.locator('.changes tbody tr').first().innerText(), /latency\s+missing 3\.9 %, was 0 %\s+0 %\s+3\.9 %\s+0\.00081/);
  assert.match(await page.locator('#changes').innerText(), /2 columns changed, the strongest change first\. 4 columns of 336 rows compared with the 300 rows of the fit\. Anomalies now: 1\.5 % of the rows\./);
  assert.equal((await page.locator('.changes tbody tr').nth(1).locator('td').last().innerText()), '< 0.000001');
  assert.deepEqual(troubles, []);
  const without = await open(pageOf({...sample(), changes: null}));
  assert.equal(await without.page.locator('#changes').isVisible(), false);
  assert.equal(await without.page.getByRole('link', {name: 'Changes'}).count(), 0);
});

test('a file like the rows of the fit has no changed column, and the page says so', async () => {
  const data = sample();
  Object.assign(data.changes, {columns: [], n_changed: 0});
  const {page} = await open(pageOf(data));
  assert.match(await page.locator('#changes').innerText(), /No column changed: 4 columns of 336 rows/);
});
