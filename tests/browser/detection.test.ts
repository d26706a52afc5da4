/** A pipeline tries what its scopes do not allow: the alert is seen in the console, and its rule is tested and tuned there. */
import assert from 'node:assert/strict';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';

describe('detection in the console', () => {
  const stage = useConsole();

  const post = async (path: string, body: object): Promise<Readonly<Record<string, string>>> => {
    const answer = await (await stage.admin())(path, body);
    assert.ok(answer.ok, `${path} ${answer.status}`);
    return (await answer.json()) as Readonly<Record<string, string>>;
  };
  const triesTooMuch = async (): Promise<void> => {
    const { principalId = '' } = await post('/v1/principals', { principalType: 'PIPELINE', label: 'Curious pipeline' });
    const credential = await post(`/v1/principals/${principalId}/credentials`, { scopes: ['principals:read'] });
    const { clientId = '', clientSecret = '' } = credential;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const issued = await fetch(`${stage.system.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    const { access_token: token } = (await issued.json()) as { readonly access_token: string };
    for (let index = 0; index < 6; index += 1) {
      const answer = await fetch(`${stage.system.url}/v1/clients`, { headers: { authorization: `Bearer ${token}` } });
      assert.equal(answer.status, 403);
      await answer.body?.cancel();
    }
  };

  it('shows the alert, and what a rule would have found before it is set', async () => {
    await triesTooMuch();
    const page = await stage.open('/console/detection');
    const alert = page.getByRole('table', { name: 'Alerts' }).getByRole('row').filter({ hasText: 'Curious pipeline' });
    await alert.getByText('Scope escalation').first().waitFor({ timeout: 60_000 });
    assert.deepEqual(await axeViolationsOn(page, { content: alert.first() }), []);
    const rule = page.getByRole('table', { name: 'Rules' }).getByRole('row').filter({ hasText: 'Scope escalation' });
    await rule.getByRole('button', { name: 'Settings' }).click();
    const dialog = page.getByRole('dialog', { name: 'Scope escalation' });
    await dialog.getByLabel('Threshold').fill('3');
    await dialog.getByRole('button', { name: 'Run back-test' }).click();
    await dialog.getByText(/alerts? in .+ decision/).waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: dialog }), []);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await rule.getByText('3 in 10 min').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    assert.deepEqual(await axeViolationsOn(page, { content: rule }), []);
  });
});
