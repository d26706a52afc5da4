/** The console's sidebar: what is in sight, what opens and closes, and what a browser remembers of it. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';

const sectionsOf = (page: Page): Locator => page.getByRole('navigation', { name: 'Sections' });

const isInSight = async (page: Page, target: Locator): Promise<boolean> => {
  const box = await target.boundingBox();
  const height = Number(await page.evaluate('innerHeight'));
  return box !== null && box.y >= 0 && box.y + box.height <= height;
};

describe("the console's sidebar", () => {
  const stage = useConsole();

  it('fits in 900 pixels, and has the account and the theme in sight at any height', async () => {
    const page = await stage.open('/console/views', { width: 1_440 });
    await page.getByRole('heading', { level: 1, name: 'Views' }).waitFor();
    await page.setViewportSize({ width: 1_440, height: 900 });
    assert.equal(await sectionsOf(page).evaluate((list) => list.scrollHeight > list.clientHeight), false);
    for (const height of [900, 600, 320]) {
      await page.setViewportSize({ width: 1_440, height });
      for (const name of ['System theme', 'Keyboard shortcuts', 'Sign out'])
        assert.ok(await isInSight(page, page.getByRole('button', { name, exact: true })), `${name} at ${height}`);
    }
    await page.setViewportSize({ width: 1_280, height: 800 });
    assert.ok(await isInSight(page, sectionsOf(page).getByRole('link', { name: 'Use the API from a terminal' })));
    await page.setViewportSize({ width: 390, height: 600 });
    await page.getByRole('button', { name: 'Menu' }).click();
    assert.ok(await isInSight(page, page.getByRole('button', { name: 'Sign out' })));
  });

  it('has services first, then access, then the platform', async () => {
    const page = await stage.open('/console/views');
    const groups = sectionsOf(page).getByRole('heading', { level: 2 });
    await groups.first().waitFor();
    assert.deepEqual(await groups.allTextContents(), ['Services', 'Access', 'Platform']);
  });

  it('opens the pages of a service while one of them is shown, and leads to its own page', async () => {
    const page = await stage.open('/console/views');
    const sections = sectionsOf(page);
    const places = sections.getByRole('link', { name: 'Places', exact: true });
    await places.waitFor();
    assert.equal(await sections.getByRole('link', { name: 'Find places' }).isVisible(), false);
    await places.click();
    await page.getByRole('heading', { level: 1, name: 'Places' }).waitFor();
    assert.equal(await places.getAttribute('aria-current'), 'page');
    await sections.getByRole('link', { name: 'Imports' }).click();
    await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor();
    assert.equal(await sections.locator('[aria-current]').textContent(), 'Imports');
    await sections.getByRole('link', { name: 'Workflows', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Workflows' }).waitFor();
    assert.equal(await sections.getByRole('link', { name: 'Imports' }).isVisible(), false);
  });

  it('remembers what was closed and opened, by keyboard too', async () => {
    const page = await stage.open('/console/views', { theme: 'light' });
    const sections = sectionsOf(page);
    const platform = sections.getByRole('button', { name: 'Platform' });
    await platform.focus();
    await page.keyboard.press('Enter');
    assert.equal(await platform.getAttribute('aria-expanded'), 'false');
    await sections.getByRole('button', { name: 'Pages of Workflows' }).press('Enter');
    await sections.getByRole('link', { name: 'Runners' }).waitFor();
    await page.reload();
    await sections.getByRole('link', { name: 'Runners' }).waitFor();
    assert.equal(await sections.getByRole('link', { name: 'Views' }).isVisible(), false);
    const content = page.getByRole('heading', { level: 1, name: 'Views' });
    await content.waitFor();
    assert.deepEqual(await axeViolationsOn(page, { names: ['in the light'], content }), []);
  });

  it('leads to the pages of services, which say what there is, or how to begin', async () => {
    const contents = {
      '/console/services/documents': /No documents yet|All documents/,
      '/console/services/places': /No places yet|Latest imports/,
      '/console/services/workflows': /No repositories yet|Latest runs/,
      '/console/rate-limits': /No caller of this tenant was refused in the last day|Latest refusals/,
      '/console/access': /Active sessions/,
    };
    for (const [path, content] of Object.entries(contents)) {
      const page = await stage.open(path);
      const text = page.getByRole('main').getByText(content);
      await text.first().waitFor();
      assert.deepEqual(await axeViolationsOn(page, { content: text }), []);
    }
  });

  it('leaves the rest to Ctrl-K', async () => {
    const page = await stage.open('/console/views');
    await page.getByRole('heading', { level: 1, name: 'Views' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('rules of rate');
    await page.getByRole('option', { name: /Rules of rate limits/ }).click();
    await page.getByRole('table', { name: 'At the gateway' }).waitFor();
  });

  it('finds pages in Ctrl-K by what people call their content', async () => {
    const page = await stage.open('/console/views');
    await page.getByRole('heading', { level: 1, name: 'Views' }).waitFor();
    await page.keyboard.press('Control+k');
    const pages = page.getByRole('group', { name: 'Pages' });
    for (const [typed, found] of [
      ['person', 'Principals'],
      ['people', 'Principals'],
      ['user', 'Principals'],
      ['add a person', 'Principals'],
      ['invite', 'Documents'],
      ['logs', 'Live log'],
      ['denied', 'Refused requests'],
      ['403', 'Refused requests'],
      ['stolen', 'Revoke a token'],
      ['elasticsearch', 'Health'],
    ] as const) {
      await page.getByRole('combobox').fill(typed);
      await pages
        .getByRole('option', { name: new RegExp(`^${found}`) })
        .first()
        .waitFor();
    }
  });
});
