/** An administrator registers an API with a tool in the console, and a delegation to an agent is narrowed by it. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';

/** To be looked at, where `SCREENSHOTS` names a directory: on a wide screen and on a phone. */
const screenshot = async (page: Page, name: string): Promise<void> => {
  const directory = process.env.SCREENSHOTS;
  if (directory === undefined) return;
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${directory}/${name}-${width}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
};

describe('APIs and tools in the console', () => {
  const stage = useConsole();

  it('are registered, get tools, and are removed', async () => {
    const page = await stage.open('/console/delegations');
    await page.getByRole('link', { name: 'APIs and tools' }).click();
    await page.getByRole('button', { name: 'Register an API' }).click();
    const dialog = page.getByRole('dialog', { name: 'Register an API' });
    await dialog.getByLabel('Name').fill('Ticket desk');
    await dialog.getByLabel('Scopes').fill('tickets:read See tickets\ntickets:write See and change tickets');
    await dialog.getByLabel('Audience').fill('https://desk-of-the-console.example.org');
    assert.deepEqual(await axeViolationsOn(page, { content: dialog }), []);
    await screenshot(page, 'api-dialog');
    await dialog.getByRole('button', { name: 'Register', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('row', { name: /Ticket desk/ }).waitFor();
    await page.getByRole('button', { name: 'Set a tool of Ticket desk' }).click();
    const tool = page.getByRole('dialog', { name: 'Set a tool of Ticket desk' });
    await tool.getByLabel('Name').fill('find_tickets');
    await tool.getByLabel('What it does').fill('Finds tickets');
    for (const list of ['Scopes that it needs', 'Scopes that agents may use through it'])
      await tool
        .getByRole('group', { name: list })
        .getByRole('checkbox', { name: /tickets:read/ })
        .check();
    assert.deepEqual(await axeViolationsOn(page, { content: tool }), []);
    await screenshot(page, 'tool-dialog');
    await tool.getByRole('button', { name: 'Set the tool' }).click();
    await tool.waitFor({ state: 'detached' });
    const row = page.getByRole('row', { name: /find_tickets/ });
    await row.waitFor();
    await screenshot(page, 'apis');

    await page.goto('/console/delegations');
    await page.getByRole('button', { name: 'Delegate a task' }).click();
    await page
      .getByRole('dialog')
      .getByRole('checkbox', { name: /tickets:read/ })
      .waitFor();

    await page.goto('/console/apis');
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Not in use.');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the tool', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    await page
      .getByRole('row', { name: /Ticket desk/ })
      .getByRole('button', { name: 'Remove' })
      .click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Moved.');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the API', exact: true }).click();
    await page.getByText('No APIs yet').waitFor();
  });
});
