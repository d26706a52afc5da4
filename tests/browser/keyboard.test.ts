import assert from 'node:assert/strict';
import { useConsole } from './support/fixture';

describe('the console by keyboard', () => {
  const stage = useConsole();

  it('skips to the content, goes from page to page and to rows, and shows where the focus is', async () => {
    const page = await stage.open('/console/streams');
    await page
      .getByRole('link', { name: /^Principal: / })
      .first()
      .waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'content');

    await page.keyboard.press('g');
    await page.keyboard.press('v');
    await page.getByRole('heading', { level: 1, name: 'Views' }).waitFor();
    // It is focused once it is drawn.
    await page.locator('h1:focus').waitFor();

    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page
      .getByRole('link', { name: /^Principal: / })
      .first()
      .waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('main.admin');
    await page.waitForURL(/search=main\.admin/);
    await page.getByText('1 stream', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('j');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    assert.equal(outline, 'solid');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/streams\/identity\.principal-main\.admin$/);
    await page.getByRole('heading', { level: 1, name: /^Principal/ }).waitFor();
  });

  it('shows the keys, keeps the focus in the dialog, gives it back, and lets them be turned off', async () => {
    const page = await stage.open('/console/views');
    const keys = page.getByRole('button', { name: 'Keyboard shortcuts', exact: true });
    await keys.focus();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Go to Views').waitFor();
    for (let press = 0; press < 4; press += 1) {
      await page.keyboard.press('Tab');
      assert.ok(
        await page.evaluate(
          "document.activeElement === document.body || document.activeElement.closest('dialog') !== null",
        ),
      );
    }
    await dialog.getByLabel('Use single-key shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Keyboard shortcuts');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    assert.equal(new URL(page.url()).pathname, '/console/views');
  });

  it('changes the theme, which is there before anything is painted the next time', async () => {
    const page = await stage.open('/console/views', { theme: 'light' });
    await page.getByRole('button', { name: 'System theme' }).click();
    await page.getByRole('button', { name: 'Light theme' }).click();
    const paper = 'getComputedStyle(document.documentElement).backgroundColor';
    assert.equal(await page.evaluate(paper), 'rgb(19, 20, 21)');
    await page.reload({ waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Dark theme' }).waitFor();
    assert.equal(await page.evaluate(paper), 'rgb(19, 20, 21)');
  });
});
