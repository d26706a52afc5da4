/** The log of a job in the console: long ones, groups, errors, search, links to lines, and the text as a file. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';
import { hands } from './support/hands';
import { checkOutFrom } from './support/workflow-repository';

const count = 120_000;

const long = `name: Long
on: { push: { branches: [main] } }
jobs:
  talk:
    runs-on: ubuntu-latest
    steps:
      - name: Count
        run: |
          seq -f 'line %.0f of a log that is long' 1 ${count}
          echo '::group::Inside'
          echo 'a nee''dle is hidden here'
          echo '::endgroup::'
          echo '::warning file=src/shop.ts,line=3::The basket is old.'
      - name: Fail
        run: |
          echo '::error::The basket is empty.'
          printf '\\033[32mlast\\033[0m words\\n'
          exit 3
`;

describe('the log of a job in the console', function () {
  this.timeout(180_000);
  const stage = useConsole();
  const home = temporaryDirectory('log-in-console');
  after(() => home.remove());
  const { press, type } = hands.keyboard;

  const lineOf = (page: Page, text: string): Locator => page.locator('.log-line', { hasText: text });
  const isInView = (line: Locator): Promise<boolean> =>
    line.evaluate((element) => {
      const row = element.getBoundingClientRect();
      const log = element.closest('.log')?.getBoundingClientRect();
      return log !== undefined && row.top >= log.top && row.bottom <= log.bottom;
    });

  const openLog = async (): Promise<Page> => {
    const name = `talk-${Date.now().toString(36)}`;
    const page = await stage.open('/console/repositories');
    await press(page.getByRole('button', { name: 'Create a repository' }));
    await type(page.getByLabel('Name', { exact: true }), name);
    await press(page.getByRole('button', { name: 'Create', exact: true }));
    const repository = page.getByRole('link', { name, exact: true });
    await repository.waitFor();
    const token = await stage.token();
    const push = await checkOutFrom(page, {
      folder: home.path,
      name,
      token,
      files: { '.github/workflows/long.yml': long },
    });
    await push('main');
    await press(repository);
    const run = page.getByRole('link', { name: 'Long', exact: true });
    await stage.until(page, run);
    await press(run);
    await page.locator('dl.facts').getByText('failure', { exact: true }).waitFor({ timeout: 120_000 });
    await press(page.getByRole('table', { name: 'Jobs' }).getByRole('link', { name: 'talk', exact: true }));
    return page;
  };

  it('opens at its end, folds groups, is searched, linked and saved, by keyboard alone', async () => {
    const page = await openLog();
    await lineOf(page, 'last words').waitFor();
    assert.equal(await isInView(lineOf(page, 'last words')), true);
    await page.getByRole('table', { name: 'Steps' }).getByText('Fail', { exact: true }).waitFor();
    await page.locator('.annotations', { hasText: 'src/shop.ts, line 3' }).waitFor();
    await lineOf(page, 'Error: The basket is empty.').waitFor();
    await lineOf(page, 'Warning: The basket is old.').waitFor();
    assert.equal(await page.getByText('##[').count(), 0);
    assert.deepEqual(await axeViolationsOn(page), []);

    const heading = page.getByRole('button', { name: 'Inside', exact: true });
    assert.equal(await heading.getAttribute('aria-expanded'), 'false');
    await press(heading);
    await lineOf(page, 'a needle is hidden here').waitFor();
    await press(heading);
    await lineOf(page, 'a needle is hidden here').waitFor({ state: 'detached' });

    const log = page.getByRole('log', { name: 'Log' });
    await log.focus();
    // Once: the first line comes into view as soon as it is read.
    await page.keyboard.press('Home');
    await lineOf(page, 'line 1 of a log').waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('NEEDLE is');
    await page.getByText('1 line', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.log-line.marked', { hasText: 'a needle is hidden here' }).waitFor();
    assert.equal(await page.locator('.log mark').textContent(), 'needle is');

    await type(page.getByRole('searchbox', { name: 'Search the log' }), `line ${count / 2} of`);
    await page.keyboard.press('Enter');
    const middle = page.locator('.log-line.marked');
    await middle.getByText(`line ${count / 2} of`).waitFor();
    const number = middle.getByRole('link');
    const href = (await number.getAttribute('href')) ?? '';
    await press(number);
    await page.goto(href);
    await page.locator('.log-line.marked', { hasText: `line ${count / 2} of` }).waitFor();
    assert.equal(await isInView(page.locator('.log-line.marked')), true);

    await press(page.getByRole('button', { name: 'Jump to the end' }));
    await lineOf(page, 'last words').waitFor();
    const downloading = page.waitForEvent('download');
    await press(page.getByText('Download', { exact: true }));
    const file = join(home.path, 'log.txt');
    await (await downloading).saveAs(file);
    const saved = readFileSync(file, 'utf8').split('\n');
    assert.equal(saved.filter((line) => line.endsWith('of a log that is long')).length, count);

    // The page loads the run again, with the ETag of what it shows.
    await page.waitForResponse((answer) => /\/actions\/runs\/[^/]+$/.test(answer.url()) && answer.status() === 304);
  });
});
