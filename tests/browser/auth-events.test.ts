/** The console's list of authorization decisions: what was denied, for which caller and why. */
import assert from 'node:assert/strict';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';

describe("the console's authorization decisions", () => {
  const stage = useConsole();

  const post = async (path: string, body: object): Promise<Readonly<Record<string, string>>> => {
    const answer = await (await stage.admin())(path, body);
    assert.ok(answer.ok, `${path} ${answer.status}`);
    return (await answer.json()) as Readonly<Record<string, string>>;
  };
  /** Whose token is allowed to do one thing and denied another; its id. */
  const decidedPipeline = async (): Promise<{ readonly principalId: string; readonly jti: string }> => {
    const { principalId = '' } = await post('/v1/principals', { principalType: 'PIPELINE', label: 'Nightly build' });
    const credential = await post(`/v1/principals/${principalId}/credentials`, { scopes: ['principals:read'] });
    const { clientId = '', clientSecret = '' } = credential;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const issued = await fetch(`${stage.system.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    const { access_token: token } = (await issued.json()) as { readonly access_token: string };
    const headers = { authorization: `Bearer ${token}` };
    for (const [path, status] of [
      [`/v1/principals/${principalId}`, 200],
      ['/v1/clients', 403],
    ] as const)
      assert.equal((await fetch(`${stage.system.url}${path}`, { headers })).status, status);
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string };
    return { principalId, jti };
  };

  it('are found by Ctrl-K, filtered by token and result, and whole on a phone', async () => {
    const { jti } = await decidedPipeline();
    const page = await stage.open('/console/access');
    await page.getByRole('heading', { level: 1, name: 'Access' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('authorization dec');
    await page.getByRole('option', { name: /Authorization decisions/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Authorization decisions' }).waitFor();
    await page.getByLabel('Token id (jti)').fill(jti);
    const rows = page.getByRole('table', { name: 'Authorization decisions' }).getByRole('row');
    await rows.getByText('Allowed', { exact: true }).first().waitFor();
    await page.getByLabel('Result').selectOption('DENY');
    await rows.getByText('Allowed', { exact: true }).first().waitFor({ state: 'detached' });
    const denied = rows.nth(1);
    await denied.getByText('The token lacks a scope').waitFor();
    await denied.getByRole('link', { name: 'Nightly build' }).first().waitFor();
    const content = rows.getByText(jti, { exact: true }).first();
    assert.deepEqual(await axeViolationsOn(page, { content }), []);
    await page.setViewportSize({ width: 390, height: 844 });
    await content.waitFor();
    assert.ok(await content.evaluate((element) => element.scrollWidth <= element.clientWidth));
    await page.getByLabel('Reason').selectOption('policy');
    await page.getByText('No decision matches').waitFor();
  });
});
