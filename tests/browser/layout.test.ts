import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { sized } from '../support/runner/size';
import { consoleAddresses, unknownValues } from './support/console-addresses';
import { useConsole } from './support/fixture';
import { layoutFaultsOf } from './support/layout-faults';
import { settle } from './support/screenshots';

/** Tables with many columns, JSON, a form, cards. */
const typical = [
  '/console/streams',
  '/console/streams/:stream/:revision',
  '/console/views',
  '/console/grants',
  '/console/clients/:applicationId',
  '/console/overview',
  '/console/files',
  '/console/videos',
];

const withFaults = async (page: Page, path: string): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (const width of [1_440, 900, 390]) {
    await page.setViewportSize({ width, height: 900 });
    if (width === 1_440) await page.goto(path);
    await settle(page);
    faults.push(...(await layoutFaultsOf(page)).map((fault) => `${path} at ${width} px ${fault}`));
  }
  return faults;
};

describe('the layout of the console’s pages', () => {
  const stage = useConsole();

  it('has room at the width of a desk, a half window and a phone', async () => {
    const all = consoleAddresses(unknownValues);
    const looked = sized({ short: all.filter(({ pattern }) => typical.includes(pattern)), long: all });
    // Most ids lead to what does not exist.
    const page = await stage.open('/console/', { expects: /404|400|422/ });
    for (const { path } of looked) assert.deepEqual(await withFaults(page, path), []);
  });

  it('knows a column without room, and what is wider than the window', async () => {
    const page = await stage.open('/console/views', { width: 1_440 });
    await settle(page);
    await page.getByRole('row', { name: /identity_principals/ }).waitFor();
    await page.evaluate("document.querySelector('.table').style.width = '520px'");
    assert.match((await layoutFaultsOf(page)).join(), /no room: th|columns do not fit/);
    await page.evaluate("document.querySelector('h1').style.width = '3000px'");
    assert.match((await layoutFaultsOf(page)).join(), /scrolls sideways: h1/);
  });
});
