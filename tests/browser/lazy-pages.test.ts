import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useConsole } from './support/fixture';

const isScript = (url: string): boolean => /\/console\/assets\/.*\.js$/.test(url);

const scriptsOf = (page: Page): Promise<readonly string[]> =>
  page
    .evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    .then((names) =>
      (names as readonly string[]).filter(isScript).map((name) => name.slice(name.lastIndexOf('/') + 1)),
    );

const isOfPages = (name: string): boolean => name.startsWith('pages-');

describe('scripts of the console’s pages', () => {
  const stage = useConsole();

  it('are loaded with the first page of a section, and once', async () => {
    const page = await stage.open('/console/views');
    await page.getByRole('heading', { level: 1, name: 'Views' }).waitFor();
    const first = (await scriptsOf(page)).filter(isOfPages);
    assert.equal(first.length, 1);
    await page.getByRole('link', { name: 'Principals', exact: true }).click();
    // The heading was not there when the page changed.
    await page.locator('h1:focus', { hasText: 'Principals' }).waitFor();
    const both = (await scriptsOf(page)).filter(isOfPages);
    assert.equal(both.length, 2);
    await page.getByRole('link', { name: 'Sessions', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
    assert.deepEqual((await scriptsOf(page)).filter(isOfPages), both);
  });

  it('that cannot be loaded leave the console usable, and are tried again', async () => {
    const page = await stage.open('/console/views', { expects: /net::ERR_CONNECTION_RESET|dynamically imported/ });
    await page.getByRole('heading', { level: 1, name: 'Views' }).waitFor();
    await page.route(/\/console\/assets\/.*\.js$/, (route) => route.abort('connectionreset'));
    await page.getByRole('link', { name: 'Principals', exact: true }).click();
    const failed = page.getByRole('heading', { level: 1, name: 'This page could not be loaded' });
    await failed.waitFor();
    await page.getByRole('link', { name: 'Processes', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Processes' }).waitFor();
    await page.getByRole('link', { name: 'Principals', exact: true }).click();
    await failed.waitFor();
    await page.unroute(/\/console\/assets\/.*\.js$/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Principals' }).waitFor();
  });
});
