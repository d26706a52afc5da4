import assert from 'node:assert/strict';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';

describe('the console by keyboard', () => {
  const stage = useConsole();

  it('skips to the content, goes from page to page and to rows, and shows where the focus is', async () => {
    const page = await stage.open('/console/streams');
    await page.getByRole('table').getByRole('link').first().waitFor();
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
    await page.getByRole('table').getByRole('link').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('principal-main.admin');
    await page.waitForURL(/search=principal-main\.admin/);
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
    await dialog.getByText('Views', { exact: true }).waitFor();
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

  it('has ids and times of rows outside of the tab order, where arrows reach them', async () => {
    // More people than the list shows at once may be enrolled by other tests.
    const page = await stage.open('/console/principals?q=admin');
    const row = page.getByRole('row', { name: /admin/ }).first();
    await row.getByRole('link').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('.copyable-id:focus').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('td time:focus').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.locator('.copyable-id:focus').waitFor();
    assert.equal(await row.locator('[tabindex="0"]').count(), 0);
    assert.deepEqual(await axeViolationsOn(page, { content: row }), []);
  });

  it('has a list of scopes as one stop, in which arrows move', async () => {
    const page = await stage.open('/console/terminal');
    await page.getByText('choose fewer').click();
    const scopes = page.getByRole('group', { name: 'Scopes' });
    await scopes.getByRole('checkbox').first().waitFor();
    const count = await scopes.getByRole('checkbox').count();
    assert.ok(count > 20);
    await scopes.getByRole('button', { name: 'Clear' }).focus();
    await page.keyboard.press('Tab');
    const name = (): Promise<string> =>
      page.evaluate("document.activeElement.closest('li').querySelector('.mono').textContent");
    const names = await scopes.locator('li .mono').allTextContents();
    assert.equal(await name(), names[0]);
    for (const [key, at] of [
      ['ArrowDown', 1],
      ['ArrowUp', 0],
      ['ArrowUp', count - 1],
      ['ArrowDown', 0],
      ['End', count - 1],
      ['Home', 0],
      ['ArrowRight', 1],
    ] as const) {
      await page.keyboard.press(key);
      assert.equal(await name(), names[at], key);
    }
    const second = scopes.getByRole('checkbox', { name: names[1] ?? '', exact: true });
    assert.ok(await second.isChecked());
    await page.keyboard.press('Space');
    assert.ok(!(await second.isChecked()));
    await page.keyboard.press('Tab');
    await page.locator('button:focus', { hasText: 'Create a credential' }).waitFor();
    await page.keyboard.press('Shift+Tab');
    assert.equal(await name(), names[1], 'the list remembers where it was left');
    await scopes.getByLabel('Search scopes').fill(names[0] ?? '');
    await scopes.getByRole('button', { name: 'Select these' }).click();
    assert.equal(await scopes.locator('input[type=checkbox][tabindex="0"]').count(), 1);
  });

  it('gives the focus to the heading where a dialog was opened from nowhere, and to what opened it otherwise', async () => {
    const page = await stage.open('/console/principals');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('h1:focus').waitFor();

    const register = page.getByRole('button', { name: 'Register a principal' });
    await register.focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('button:focus', { hasText: 'Register a principal' }).waitFor();
  });

  it('gives the focus to the heading of a page that is drawn late', async () => {
    const page = await stage.open('/console/clients');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('Register a client');
    await page.getByRole('option', { name: 'Register a client' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('h1:focus', { hasText: 'Register a client' }).waitFor();
  });

  it('gives the focus to the heading of a page that needs a document of its own, by a link and by Back', async () => {
    const page = await stage.open('/console/views');
    await page.getByRole('heading', { level: 1, name: 'Views' }).waitFor();
    await page.evaluate("document.marked = true; document.documentElement.dataset.objectStore = 'elsewhere'");
    await page.getByRole('link', { name: 'Workflows', exact: true }).click();
    await page.locator('h1:focus', { hasText: 'Workflows' }).waitFor();
    assert.equal(await page.evaluate('document.marked === true'), false, 'the document was loaded');
    await page.goBack();
    await page.locator('h1:focus', { hasText: 'Views' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Views' }).waitFor();
    assert.equal(await page.locator('h1:focus').count(), 0, 'a page that was asked for begins at the top');
  });
});
