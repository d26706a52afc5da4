import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';
import { signedIn } from './support/recorded-sign-in';

type Fields = Readonly<Record<string, string>>;

/** Fills in the reason in a dialog and confirms. */
const answer = async (page: Page, act: string, reason = 'As was agreed.'): Promise<void> => {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: act, exact: true }).click();
};

describe("the console's pages of access", () => {
  const stage = useConsole();

  const made = async (path: string, body: object): Promise<Fields> => {
    const answered = await (await stage.admin())(path, body);
    assert.ok(answered.ok, `${path} ${answered.status}`);
    return (await answered.json()) as Fields;
  };

  it('register a principal, give it a credential that works, and suspend it for a reason that is recorded', async () => {
    const page = await stage.open('/console/principals');
    await page.getByRole('button', { name: 'Register a principal' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Type').selectOption({ label: 'Pipeline' });
    await form.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Principal registered').waitFor();
    await page.getByRole('button', { name: 'New credential' }).click();
    const scopes = page.getByRole('group', { name: 'Scopes' });
    await scopes.getByLabel('Search scopes').fill('security');
    await scopes.getByRole('checkbox', { name: 'security:read' }).check();
    await scopes.getByLabel('Search scopes').fill('PEOPLE, pipelines');
    await scopes.getByText('1 chosen, 2 of').waitFor();
    await scopes.getByRole('checkbox', { name: 'principals:read' }).check();
    await page.getByRole('button', { name: 'Create' }).click();
    const secretDialog = page.getByRole('dialog', { name: 'Save the secret' });
    // What is read at once may be nothing yet.
    await secretDialog.waitFor();
    const [clientId = '', , secret = ''] = await secretDialog.locator('dd').allTextContents();
    await secretDialog.getByRole('button', { name: 'I have saved it' }).click();
    await secretDialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /principals:read/ }).waitFor();
    assert.ok(!(await page.content()).includes(secret));
    const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret };
    const issued = await fetch(`${stage.system.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(grant) });
    assert.equal(issued.status, 200);

    await page.getByRole('button', { name: 'Suspend' }).click();
    await answer(page, 'Suspend', '<b>It leaked.</b>');
    await page.getByRole('button', { name: 'Reactivate' }).waitFor();
    await page.locator('.facts').getByText('suspended').waitFor();
    const notifications = page.getByRole('region', { name: 'Notifications' });
    await notifications.getByText('The principal was suspended.').waitFor();
    await notifications.getByRole('button', { name: 'Dismiss' }).last().click();
    await notifications.getByText('The principal was suspended.').waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Principal suspended.*<b>It leaked\.<\/b>/ }).waitFor();
  });

  it('give a person a role, and take it again', async () => {
    const { principalId } = await made('/v1/principals', { principalType: 'HUMAN' });
    const page = await stage.open(`/console/principals/${principalId}`);
    await page.getByRole('button', { name: 'Grant access' }).click();
    const dialog = page.getByRole('dialog');
    const kinds = dialog.getByLabel('Role or scopes');
    await kinds.selectOption('Individual scopes');
    await dialog.getByRole('checkbox').first().waitFor();
    await dialog.getByRole('button', { name: 'Grant' }).click();
    await dialog.getByText('Choose at least one scope.').waitFor();
    await dialog.locator('input[type="search"]:focus').waitFor();
    await kinds.selectOption({ value: 'auditor' });
    await dialog.getByRole('button', { name: 'Grant' }).click();
    await page.locator('.facts').getByText('auditor').waitFor();
    await page.getByRole('button', { name: 'Withdraw auditor' }).click();
    await answer(page, 'Withdraw');
    await page.locator('.facts').getByText('auditor').waitFor({ state: 'detached' });
  });

  it('show the refusal in the dialog, and keep what was typed', async () => {
    const page = await stage.open('/console/principals/admin', { expects: /4\d\d/ });
    await page.getByRole('button', { name: 'New credential' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'principals:read' }).check();
    await dialog.getByLabel('Days until it expires').fill('99999');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.locator('.fault, [role="alert"]').first().waitFor();
    assert.equal(await dialog.getByLabel('Days until it expires').inputValue(), '99999');
    assert.ok(await dialog.getByRole('checkbox', { name: 'principals:read' }).isChecked());
  });

  it('register a client, name the wrong field, show its secret once, change it, and switch it off', async () => {
    const page = await stage.open('/console/clients/new', { expects: /4\d\d|shown only once|nothing is saved/ });
    // The kind comes first, and brings its settings along.
    assert.equal(await page.getByRole('button', { name: 'Register' }).count(), 0);
    await page.getByRole('radio', { name: 'Web application' }).check();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('N'.repeat(300));
    await page.getByText(/^Must be at most \d+ characters: \d+ too many\.$/).waitFor();
    assert.equal((await name.inputValue()).length, 300);
    // The form is left after a question, and stays where the answer is no.
    await page.getByRole('link', { name: 'Cancel' }).click();
    assert.equal((await name.inputValue()).length, 300);
    await name.fill('Invoices <img src=x onerror=alert(1)>');
    await page.getByLabel('Redirect URIs', { exact: true }).fill('https://app.example/#fragment');
    await page.getByRole('button', { name: 'Register' }).click();
    const addresses = page.getByRole('textbox', { name: 'Redirect URIs', exact: true });
    await page.getByText('Redirect URI 1 has a fragment.').waitFor();
    assert.equal(await addresses.getAttribute('aria-invalid'), 'true');
    assert.equal(await page.locator('details.more-settings').getAttribute('open'), null);
    await addresses.fill('https://app.example/callback');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { level: 1, name: 'Invoices <img' }).waitFor();
    assert.equal(await page.locator('img[src="x"]').count(), 0);
    const connection = page.locator('.facts');
    await connection.getByText('Client secret', { exact: true }).waitFor();
    await page.locator('h2:focus', { hasText: 'Connect the application' }).waitFor();
    const [secret = ''] = /(?<=CLIENT_SECRET=)\S+/.exec(await page.locator('pre').first().innerText()) ?? [];
    assert.match(secret, /^[\w-]{43}$/);
    assert.deepEqual(await axeViolationsOn(page, { content: connection }), []);

    // Links lead away from the secret only in a new tab, or after a question, until it is copied.
    for (const name of ['guide', 'API reference'])
      assert.equal(await page.getByRole('link', { name }).getAttribute('target'), '_blank', name);
    const question = page.waitForEvent('dialog');
    await page.getByRole('link', { name: 'Open the client' }).click();
    // The stage dismisses it.
    assert.match((await question).message(), /shown only once/);
    await connection.getByText('Client secret', { exact: true }).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the client secret' }).click();
    await page.waitForFunction('navigator.clipboard.readText().then((text) => /^[\\w-]{43}$/.test(text))');
    await page.getByRole('link', { name: 'Open the client' }).click();
    await page.getByRole('row').nth(1).getByText('active').waitFor();
    await page.getByText('Connect the application').click();
    await page.getByText("CLIENT_SECRET='the secret of the client'").waitFor();
    assert.ok(!(await page.content()).includes(secret));
    await page.locator('.facts').first().getByText('PKCE', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('row').nth(2).getByText('active').waitFor();

    await page.getByRole('link', { name: 'Change' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Invoices');
    await page.getByRole('checkbox', { name: 'Requires PKCE' }).uncheck();
    await page.getByRole('checkbox', { name: 'Accept the secret only this way' }).check();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Invoices', exact: true }).waitFor();
    for (const rule of ['PKCE optional', 'one authentication method'])
      await page.locator('.facts').first().getByText(rule).waitFor();
    await page.getByRole('link', { name: 'Change' }).click();
    await page.getByLabel('Client authentication').selectOption('none');
    assert.equal(await page.getByRole('checkbox', { name: 'Requires PKCE' }).count(), 0, 'a public client always does');
    await page.evaluate('window.confirm = () => true');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.locator('.facts').first().getByText('https://app.example/callback').waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await answer(page, 'Disable');
    await page.locator('.facts').first().getByText('disabled').waitFor();
  });

  it('register a machine that acts as a pipeline, chosen by its name', async () => {
    const label = `Deploys ${Date.now().toString(36)}`;
    const { principalId = '' } = await made('/v1/principals', { principalType: 'PIPELINE', label });
    const page = await stage.openWhen(`/console/principals/${principalId}`, (found) =>
      found.getByRole('heading', { level: 1, name: label }),
    );
    await page.goto('/console/clients/new?kind=machine');
    assert.equal(await page.getByLabel('Redirect URIs', { exact: true }).count(), 0);
    await page.getByRole('textbox', { name: 'Name' }).fill(`Machine of ${label}`);
    await page.getByLabel('Acts as').selectOption({ label: `${label} (Pipeline)` });
    const scopes = page.getByRole('group', { name: 'Scopes' });
    await scopes.getByLabel('Search scopes').fill('principals:read');
    await scopes.getByRole('checkbox', { name: 'principals:read' }).check();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { level: 1, name: `Machine of ${label} is registered` }).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the client secret' }).click();
    await page.waitForFunction('navigator.clipboard.readText().then((text) => /^[\\w-]{43}$/.test(text))');
    await page.getByRole('link', { name: 'Open the client' }).click();
    await page.getByRole('heading', { level: 1, name: `Machine of ${label}`, exact: true }).waitFor();
    await page.locator('.facts').getByRole('link', { name: label }).waitFor();
    assert.equal(
      await page.locator('.facts a', { hasText: label }).getAttribute('href'),
      `/console/principals/${principalId}`,
    );
    await page.getByRole('row').nth(1).getByText('active').waitFor();
  });

  it('show who is signed in and what was allowed, and end both', async () => {
    const { principalId = '' } = await made('/v1/principals', { principalType: 'HUMAN' });
    const { sessionId, grantId } = await signedIn(stage.system, principalId);
    const page = await stage.openWhen(`/console/grants?principalId=${principalId}`, (openedPage) =>
      openedPage.locator(`a[href$="${grantId}"]`),
    );
    await page.locator(`a[href$="${grantId}"]`).click();
    await page.getByRole('heading', { name: 'Refresh tokens' }).waitFor();
    await page.getByText('0 times').waitFor();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await answer(page, 'Revoke grant');
    await page.locator('.facts').first().getByText('revoked').waitFor();

    await page.goto(`/console/sessions?principalId=${principalId}`);
    const row = page.getByRole('row', { name: new RegExp(sessionId.slice(0, 8)) });
    await row.getByRole('button', { name: 'End' }).click();
    await answer(page, 'End session');
    await row.getByText('ended').waitFor();
  });

  it('rotate the signing keys, and revoke one of the next ones after a second confirmation', async () => {
    const page = await stage.open('/console/signing-keys');
    const row = (status: string, algorithm: string) =>
      page.getByRole('row', { name: new RegExp(status) }).filter({ hasText: algorithm });
    for (const algorithm of ['ES256', 'RS256']) await row('active', algorithm).waitFor();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await row('published', 'RS256').waitFor();
    const next = row('published', 'ES256');
    await next.getByRole('button', { name: 'Revoke' }).click();
    await answer(page, 'Revoke the key');
    await page.getByText('This cannot be undone').waitFor();
    assert.equal(await next.count(), 1);
    await page.getByRole('button', { name: 'Yes, revoke the key' }).click();
    await row('revoked', 'ES256').waitFor();
    await row('active', 'ES256').waitFor();
  });
});
