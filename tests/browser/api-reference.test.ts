/** The API reference in a browser, under its page policy: every error on a page fails the test. */
import assert from 'node:assert/strict';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';

const isWide = 'document.documentElement.scrollWidth > innerWidth';

describe('the API reference, in a browser', () => {
  const stage = useConsole();

  it('finds an operation and shows it, accessibly', async () => {
    const page = await stage.open('/docs', { isStranger: true });
    await page.getByRole('heading', { level: 1, name: 'Septet API' }).waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.keyboard.press('/');
    await page.keyboard.type('suspendPrincipal');
    await page.getByText('1 operation', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/principals#suspendPrincipal$/);
    const operation = page.locator('#suspendPrincipal');
    await operation.getByRole('heading', { name: /Suspend a principal/ }).waitFor();
    await operation.getByText('principals:write').waitFor();
    await operation.getByText('Problems (').click();
    await operation.getByText('principal-unknown').waitFor();
    assert.equal(await page.evaluate(isWide), false);
  });

  it('has its search in sight wherever one reads', async () => {
    for (const width of [390, 900, 1_440]) {
      const page = await stage.open('/docs/principals', { isStranger: true, width });
      const field = page.getByRole('searchbox', { name: 'Search operations' });
      await page.locator('.operation').last().scrollIntoViewIfNeeded();
      const box = await field.boundingBox();
      assert.ok(box !== null && box.y >= 0 && box.y < 120 && box.width >= 200, `${width}: ${JSON.stringify(box)}`);
    }
  });

  it('says on the page of a group where its search leads, and takes Ctrl-K, too', async () => {
    const page = await stage.open('/docs/principals', { isStranger: true });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('rebuildView');
    await page.getByText('Press Enter to search all groups.').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\?q=rebuildView$/);
  });

  it('fits a phone, and leads to another group from a search there', async () => {
    const page = await stage.open('/docs/privacy', { isStranger: true, width: 390 });
    assert.equal(await page.evaluate(isWide), false);
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.getByRole('searchbox', { name: 'Search operations' }).fill('commitOperations');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\?q=commitOperations$/);
    await page.getByText('1 operation', { exact: true }).waitFor();
  });
});
