// SPDX-License-Identifier: Apache-2.0
// Reports for tests, and a browser to open them.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const binary = resolve(process.env.PIDFOREST_BINARY ?? join(root, 'build/pidforest'));
const folder = mkdtempSync(join(tmpdir(), 'report-'));
process.on('exit', () => rmSync(folder, {recursive: true}));

/** Returns the data inside a page. */
export function dataOf(file) {
  return JSON.parse(/id="report-data">(.*?)<\/script>/s.exec(readFileSync(file, 'utf8'))[1]);
}

/** Returns the sample data of template.html, which has every part of a report, small. */
export function sample() {
  return dataOf(join(root, 'src/report/template.html'));
}

/** Writes a page with these data, as the library does. */
export function pageOf(data) {
  const file = join(folder, `${pages += 1}.html`);
  writeFileSync(file, execFileSync(join(dirname(binary), 'page_of'), {input: JSON.stringify(data), maxBuffer: 1 << 28}));
  return file;
}
let pages = 0;

/** Writes a report with the tool and these arguments, for a file in the checkout or a text. */
export function reportOf(input, ...flags) {
  const file = join(folder, `${pages += 1}.html`);
  const text = input.includes('\n');
  const table = text ? join(folder, `${pages}.csv`) : input;
  if (text) writeFileSync(table, input);
  execFileSync(binary, ['detect', table, '--report', file, ...flags], {cwd: root, stdio: ['ignore', 'ignore', 'pipe'], maxBuffer: 1 << 28});
  return file;
}

const browser = await chromium.launch({executablePath: execFileSync('which', ['chromium']).toString().trim(), args: ['--no-sandbox']});

export async function close() {
  await browser.close();
}

/**
 * Opens a file. `troubles` collects all errors, and all requests except the one for the file. The options are those of
 * playwright's newContext: viewport, colorScheme and so on.
 */
export async function open(file, {hash = '', ...options} = {}) {
  const context = await browser.newContext({viewport: {width: 1400, height: 900}, timezoneId: 'America/New_York', ...options});
  context.setDefaultTimeout(120_000);  // a word of 1 MB takes a loaded machine longer than the usual 30 s
  const page = await context.newPage();
  const address = pathToFileURL(file).href;
  const troubles = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('request', (request) => request.url().split('#')[0] !== address && troubles.push(`asked for ${request.url()}`));
  await page.goto(address + hash);
  return {page, troubles};
}
