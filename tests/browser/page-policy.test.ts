/** Pages whose address declares additions to the content security policy get them, and no other page does. */
import assert from 'node:assert/strict';
import { type Browser, chromium, type Page } from 'playwright-core';
import { needs } from '../support/runner/prerequisites';
import { fromRunner } from '../support/servers/shared-servers';
import { servePolicyPages } from './page-policy/fixture';

const declared = 'image media ownWorker blobWorker webAssembly store';

describe('the policy of a page of the console', function () {
  this.timeout(60_000);
  let browser: Browser;
  let stage: Awaited<ReturnType<typeof servePolicyPages>>;
  needs('chromium');
  before(async () => {
    browser = await chromium.connect(await fromRunner('browser'));
    stage = await servePolicyPages();
  });
  after(async () => {
    await browser.close();
    stage.close();
  });

  const open = async (path: string): Promise<Page> => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${stage.origin}${path}`);
    return page;
  };
  /** What worked on the page at the path, once it has tried everything. */
  const allowedAt = async (page: Page, path: string): Promise<string> => {
    await page.getByRole('heading', { name: path, exact: true }).waitFor();
    const text = await page.getByText(/^allowed:/).textContent();
    return text?.replace(/^allowed: ?/, '') ?? '';
  };
  const mark = (page: Page): Promise<unknown> => page.evaluate('document.marked = true');
  const isMarked = (page: Page): Promise<unknown> => page.evaluate('document.marked === true');

  it('lets code that makes media, workers and WebAssembly work where it is declared, and refuses it elsewhere', async () => {
    for (const [path, allowed] of [
      ['/console/plain', ''],
      ['/console/media/new', ''],
      ['/console/media/m-1', declared],
      ['/console/workers', 'ownWorker'],
    ] as const) {
      const page = await open(path);
      assert.equal(await allowedAt(page, path), allowed, path);
      await page.context().close();
    }
  });

  it('comes with a document of its own: links into and out of it load one, others do not', async () => {
    const page = await open('/console/plain');
    assert.equal(await allowedAt(page, '/console/plain'), '');
    await mark(page);
    await page.getByRole('link', { name: 'Other' }).click();
    assert.equal(await allowedAt(page, '/console/plain/other'), '');
    assert.equal(await isMarked(page), true);
    await page.getByRole('link', { name: 'Media' }).click();
    assert.equal(await allowedAt(page, '/console/media/m-1'), declared);
    assert.equal(await isMarked(page), false);
    await mark(page);
    await page.getByRole('link', { name: 'Next' }).click();
    assert.equal(await allowedAt(page, '/console/media/m-2'), declared);
    assert.equal(await isMarked(page), true);
    await page.getByRole('link', { name: 'New' }).click();
    assert.equal(await allowedAt(page, '/console/media/new'), '');
    assert.equal(await isMarked(page), false);
    await page.goBack();
    assert.equal(await allowedAt(page, '/console/media/m-2'), declared);
    await page.goBack();
    assert.equal(await allowedAt(page, '/console/media/m-1'), declared);
    await page.goBack();
    assert.equal(await allowedAt(page, '/console/plain/other'), '');
    await page.context().close();
  });
});
