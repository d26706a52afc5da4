/** A credential that is on someone's disk is found by what stands in its file, and revoked; so is a single token. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';

interface IssuedCredential {
  readonly principalId: string;
  readonly credentialId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const confirm = async (page: Page, act: string): Promise<void> => {
  await page.getByRole('dialog').getByLabel('Reason').fill('It was in a ticket.');
  await page.getByRole('dialog').getByRole('button', { name: act, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

describe('credentials and tokens in the console', () => {
  const stage = useConsole();

  const issue = async (label: string): Promise<IssuedCredential> => {
    const send = await stage.admin();
    const registered = await send('/v1/principals', { principalType: 'AI_AGENT', label: `Agent of ${label}` });
    const { principalId } = (await registered.json()) as { readonly principalId: string };
    const issued = await send(`/v1/principals/${principalId}/credentials`, { scopes: ['principals:read'], label });
    assert.equal(issued.status, 201);
    return { principalId, ...((await issued.json()) as Omit<IssuedCredential, 'principalId'>) };
  };
  const takeToken = ({ clientId, clientSecret }: IssuedCredential): Promise<Response> => {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    return fetch(`${stage.system.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  };
  const tokenOf = async (credential: IssuedCredential): Promise<string> =>
    ((await (await takeToken(credential)).json()) as { readonly access_token: string }).access_token;
  const statusWith = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${stage.system.url}/v1/principals?limit=1`, { headers })).status;
  };
  /** Gateways know within a second. */
  const untilRefused = async (token: string): Promise<void> => {
    while ((await statusWith(token)) !== 401);
  };

  it('are found by the ids of the file, with label, maker and last use, and revoked by what they stop', async () => {
    const credential = await issue('Laptop of Ada');
    const { credentialId, clientId } = credential;
    const page = await stage.openWhen(`/console/credentials?id=${credentialId}`, (found) =>
      found.getByRole('row', { name: /Laptop of Ada/ }),
    );
    const row = page.getByRole('row', { name: /Laptop of Ada/ });
    await row.getByText(credentialId).waitFor();
    await row.getByText('never', { exact: true }).first().waitFor();
    await row.getByRole('link', { name: 'Agent of Laptop of Ada' }).waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: row }), []);

    assert.equal((await takeToken(credential)).status, 200);
    await stage.until(page, row.getByText(/just now|minute/).first());
    await page.getByLabel('Credential id or client id').fill(clientId);
    await page.waitForURL(/id=main\.|id=[a-z-]+\./);
    await row.waitFor();
    await page.getByLabel('Credential id or client id').fill('');
    await page.getByLabel('Principal', { exact: true }).fill('agent of laptop');
    await page.waitForURL(/principalId=agent/);
    await row.waitFor();

    await row.getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke the credential?' });
    await dialog.getByText('“Laptop of Ada”').waitFor();
    await dialog.getByText('It last got a token').waitFor();
    await confirm(page, 'Revoke credential');
    await row.getByText('revoked', { exact: true }).waitFor();
    // The button is gone with what it revoked.
    await page.locator('h1:focus', { hasText: 'Credentials' }).waitFor();
    assert.equal((await takeToken(credential)).status, 401);
  });

  it('are found by Ctrl-K', async () => {
    const { credentialId } = await issue('Found by its id');
    const page = await stage.openWhen(`/console/credentials?id=${credentialId}`, (found) =>
      found.getByRole('row', { name: /Found by its id/ }),
    );
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill(credentialId);
    await page.getByRole('dialog').getByRole('option', { name: 'Found by its id' }).click();
    await page.waitForURL(new RegExp(`/console/credentials\\?id=${credentialId}`));
  });

  it('revoke a token that was pasted, by its owner’s name, and by its id', async () => {
    const credential = await issue('Published');
    const tokens = [await tokenOf(credential), await tokenOf(credential), await tokenOf(credential)] as const;
    const page = await stage.open('/console/tokens/revoke');
    const field = page.getByLabel('Token or token id');
    await field.fill('not a token');
    await page.getByText('This is not an access token').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Revoke', exact: true }).isDisabled());
    await field.fill(`Authorization: Bearer ${tokens[0]}`);
    await page.locator('.facts').getByRole('link', { name: 'Agent of Published' }).waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: page.locator('.facts') }), []);
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await confirm(page, 'Revoke token');
    await page.getByText('The token was revoked.').waitFor();
    await untilRefused(tokens[0]);
    assert.equal(await statusWith(tokens[1]), 200);

    const jtiOf = (token: string): string =>
      (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { readonly jti: string }).jti;
    await page.goto(`/console/tokens/revoke?principalId=${credential.principalId}`);
    const button = page.getByRole('button', { name: `Revoke token ${jtiOf(tokens[1])}` });
    await stage.until(page, button);
    // Gateways refuse a revoked token before the list, which is a view, is without it.
    while ((await page.getByRole('button', { name: `Revoke token ${jtiOf(tokens[0])}` }).count()) > 0) {
      await page.reload();
      await button.waitFor();
    }
    await button.click();
    await confirm(page, 'Revoke token');
    await untilRefused(tokens[1]);
    assert.equal(await statusWith(tokens[2]), 200);

    await field.fill(jtiOf(tokens[2]));
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await confirm(page, 'Revoke token');
    await untilRefused(tokens[2]);
  });
});
