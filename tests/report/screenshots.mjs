// SPDX-License-Identifier: Apache-2.0
// Regenerates the pictures of reports in docs/:  node tests/report/screenshots.mjs
import {join} from 'node:path';
import {close, open, reportOf, root} from './browser.mjs';

async function picture(name, file, section, hash = '') {
  const {page} = await open(file, {hash, reducedMotion: 'reduce', colorScheme: 'light', viewport: {width: 1280, height: 900}});
  const box = await page.locator(section).boundingBox();
  const clip = {x: box.x - 12, y: box.y + await page.evaluate(() => scrollY), width: box.width + 24, height: box.height + 12};
  await page.screenshot({path: join(root, 'docs', name), clip, fullPage: true});
}

const table = reportOf('examples/fleet.csv', '--label', 'fault');
await picture('report_table.png', table, '#anomalies', '#row-279');
const series = reportOf('examples/traffic.csv', '--label', 'fault', '--window', '4', '--time', 'time', '--by', 'host', '--max-gap', '15min');
await picture('report_series.png', series, '#series');
await close();
