// SPDX-License-Identifier: Apache-2.0
// Regenerates the pictures of reports in docs/:  node tests/report/screenshots.mjs
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {close, open, reportOf, root} from './browser.mjs';
import {dailySales, wideTable} from './made_tables.mjs';

/** Takes a picture of the page from `from` down to `height`, or to the end of a section. */
async function picture(name, file, {from = null, until = null, height = 900, width = 1280, hash = ''} = {}) {
  const {page} = await open(file, {hash, reducedMotion: 'reduce', colorScheme: 'light', viewport: {width, height}});
  const ends = (selector) => page.locator(selector).evaluate((element) => [element.getBoundingClientRect().top + scrollY, element.getBoundingClientRect().bottom + scrollY]);
  const top = from === null ? 0 : (await ends(from))[0] - 12;
  const bottom = until === null ? top + height : (await ends(until))[1] + 12;
  await page.screenshot({path: join(root, 'docs', name), clip: {x: 0, y: top, width, height: bottom - top}, fullPage: true});
}

const table = reportOf('examples/fleet.csv', '--label', 'fault');
await picture('report_table.png', table, {until: '#anomalies', hash: '#row-279'});
const series = reportOf('examples/traffic.csv', '--label', 'fault', '--window', '4', '--time', 'time', '--by', 'host', '--max-gap', '15min');
await picture('report_series.png', series, {until: '#series'});
await picture('report_window.png', series, {from: '#anomalies'});
await picture('report_narrow.png', series, {width: 390, height: 1100});
const mixed = reportOf('examples/orders.csv', '--schema', 'examples/orders.schema.json', '--label', 'fraud', '--id', 'order_id');
await picture('report_mixed.png', mixed, {from: '#anomalies', until: '#anomalies'});
await picture('report_dates.png', reportOf(dailySales(), '--time', 'day', '--window', '3', '--title', 'Daily sales'), {until: '#series'});
await picture('report_wide.png', reportOf(wideTable(), '--min-bits', '-20', '--title', '1,555 columns'), {from: '#columns', height: 700});
await close();
