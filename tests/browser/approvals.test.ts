/** A person looks at what an agent wants to do, has to sign in again to approve it, and denies it. */
import assert from 'node:assert/strict';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';

describe('approvals in the console', () => {
  const stage = useConsole();

  it('show exactly what will be done, and are decided', async () => {
    const send = await stage.admin();
    const contentOf = async <Content>(answer: Promise<Response>) => (await (await answer).json()) as Content;
    const { principalId } = await contentOf<{ principalId: string }>(
      send('/v1/principals', { principalType: 'AI_AGENT', label: 'Careful agent' }),
    );
    const { clientId, clientSecret } = await contentOf<{ clientId: string; clientSecret: string }>(
      send(`/v1/principals/${principalId}/credentials`, { scopes: ['principals:write'] }),
    );
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const { access_token: token } = await contentOf<{ access_token: string }>(
      fetch(`${stage.system.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) }),
    );
    const action = {
      method: 'POST',
      target: `/v1/principals/${principalId}/label`,
      body: { label: 'Renamed\u200b agent' },
      reason: 'The ticket asks for another name.',
    };
    const requested = await fetch(`${stage.system.url}/v1/approvals`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(action),
    });
    assert.equal(requested.status, 201);

    const page = await stage.open('/console/approvals', { expects: /Failed to load resource.*401/ });
    const row = page.getByRole('row', { name: /Careful agent/ });
    await stage.until(page, row);
    await row.getByText('waiting', { exact: true }).waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: row }), []);
    await row.getByRole('button', { name: /Look and approve/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve exactly this action?' });
    // What is invisible in a text is shown.
    await dialog.getByText('Renamed⟨U+200B⟩ agent').waitFor();
    await dialog.getByText('The ticket asks for another name.').waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: dialog }), []);
    await dialog.getByRole('button', { name: 'Approve once' }).click();
    await dialog.getByRole('link', { name: 'Sign in again' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await row.getByRole('button', { name: /^Deny/ }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Not this name.');
    await page.getByRole('dialog').getByRole('button', { name: 'Deny action', exact: true }).click();
    await row.getByText('denied', { exact: true }).waitFor();
  });
});
