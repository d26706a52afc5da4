/** A person lets an agent act for them in the console, and ends it there. */
import assert from 'node:assert/strict';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';

describe('delegations in the console', () => {
  const stage = useConsole();

  it('are made, listed with their task and agent, and revoked', async () => {
    const send = await stage.admin();
    const registered = await send('/v1/principals', { principalType: 'AI_AGENT', label: 'Ticket agent' });
    const { principalId } = (await registered.json()) as { readonly principalId: string };
    const page = await stage.open('/console/delegations');
    await page.getByRole('button', { name: 'Delegate a task' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delegate a task' });
    const act = dialog.getByRole('button', { name: 'Delegate', exact: true });
    await dialog.getByLabel('Agent').selectOption(principalId);
    await dialog.getByLabel('Task').fill('ticket-4711');
    await dialog.getByRole('checkbox', { name: /principals:read/ }).check();
    assert.deepEqual(await axeViolationsOn(page, { content: dialog }), []);
    await act.click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('row', { name: /ticket-4711/ });
    await row.getByText('Ticket agent').first().waitFor();
    await row.getByText('active', { exact: true }).waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: row }), []);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('The ticket is closed.');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke delegation', exact: true }).click();
    await row.getByText('revoked', { exact: true }).waitFor();

    await page.goto(`/console/principals/${principalId}`);
    await page.getByRole('main').getByRole('link', { name: 'Delegations' }).click();
    await page.waitForURL(/\/console\/delegations\?agentId=/);
    await page.getByRole('row', { name: /ticket-4711/ }).waitFor();
  });
});
