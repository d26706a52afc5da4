/** The console's list of refused requests: a caller's request id leads to why. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';

describe("the console's refused requests", () => {
  const stage = useConsole();

  const post = async (path: string, body: object): Promise<Readonly<Record<string, string>>> => {
    const answer = await (await stage.admin())(path, body);
    assert.ok(answer.ok, `${path} ${answer.status}`);
    return (await answer.json()) as Readonly<Record<string, string>>;
  };
  /** A pipeline that was refused for its scopes, and its request id, which the caller may choose. */
  const refusedPipeline = async (chosen: { readonly 'x-request-id'?: string } = {}) => {
    const { principalId = '' } = await post('/v1/principals', { principalType: 'PIPELINE', label: 'Nightly build' });
    const credential = await post(`/v1/principals/${principalId}/credentials`, { scopes: ['principals:read'] });
    const { clientId = '', clientSecret = '' } = credential;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const issued = await fetch(`${stage.system.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    const { access_token: token } = (await issued.json()) as { readonly access_token: string };
    const headers = { authorization: `Bearer ${token}`, ...chosen };
    const answer = await fetch(`${stage.system.url}/v1/clients`, { headers });
    assert.equal(answer.status, 403);
    return { principalId, requestId: answer.headers.get('x-request-id') ?? '' };
  };
  const tableOf = (page: Page) => page.getByRole('table', { name: 'Refused requests' });

  it('is found by Ctrl-K, and answers by the request id, with who and which scope', async () => {
    const { requestId } = await refusedPipeline();
    const page = await stage.open('/console/access');
    await page.getByRole('heading', { level: 1, name: 'Access' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('refused req');
    await page.getByRole('option', { name: /Refused requests/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Refused requests' }).waitFor();
    await page.getByLabel('Request id').fill(requestId);
    const row = tableOf(page).getByRole('row').nth(1);
    await row.getByText('The token lacks the scope clients:read.').waitFor();
    await row.getByText('403 forbidden').waitFor();
    await row.getByText('GET /v1/clients').waitFor();
    await row.getByRole('link', { name: 'Nightly build' }).waitFor();
    await tableOf(page).getByRole('row').nth(2).waitFor({ state: 'detached' });
    const content = page.getByText(requestId, { exact: true });
    assert.deepEqual(await axeViolationsOn(page, { content }), []);
  });

  it('is found by Ctrl-K with the id alone, whole on a phone', async () => {
    const { requestId } = await refusedPipeline();
    const page = await stage.open('/console/access');
    await page.getByRole('heading', { level: 1, name: 'Access' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type(requestId);
    await page.getByRole('option', { name: /Find the refused request/ }).click();
    await page.waitForURL((url) => url.searchParams.get('requestId') === requestId);
    const id = tableOf(page).getByText(requestId, { exact: true });
    await id.waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const [shown, table] = [await id.boundingBox(), await tableOf(page).locator('..').boundingBox()];
    assert.ok(shown !== null && table !== null && shown.x + shown.width <= table.x + table.width);
    assert.ok(await id.evaluate((element) => element.scrollWidth <= element.clientWidth));
  });

  it('is found by Ctrl-K with an id that the caller chose, once it is listed', async () => {
    const { requestId } = await refusedPipeline({ 'x-request-id': `deploy:${randomUUID().slice(0, 8)}` });
    const page = await stage.open(`/console/refused-requests?requestId=${encodeURIComponent(requestId)}`);
    await tableOf(page).getByText(requestId, { exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog');
    await palette.getByRole('combobox').fill(`${requestId}-other`);
    await palette.getByText('Nothing found.').waitFor();
    await palette.getByRole('combobox').fill(requestId);
    await palette.getByRole('option', { name: /Find the refused request/ }).waitFor();
  });

  it('and pages are found by other words that a person types', async () => {
    const page = await stage.open('/console/access');
    await page.getByRole('heading', { level: 1, name: 'Access' }).waitFor();
    await page.keyboard.press('Control+k');
    for (const [word, found] of [
      ['password', ['Sign-in policy', 'Your account']],
      ['help', ['Guides']],
      ['push', ['Repositories']],
    ] as const) {
      await page.getByRole('combobox').fill(word);
      for (const label of found) await page.getByRole('option', { name: new RegExp(`^${label}`) }).waitFor();
    }
    await page.getByRole('combobox').fill('help');
    await page.getByRole('option', { name: 'Guides' }).click();
    await page.waitForURL(/\/docs\/guides$/);
  });

  it('is reached from a principal, and filtered by reason', async () => {
    const { principalId, requestId } = await refusedPipeline();
    const page = await stage.open(`/console/principals/${principalId}/activity`);
    await page.getByRole('main').getByRole('link', { name: 'Refused requests' }).click();
    await tableOf(page).getByText(requestId).waitFor();
    await page.getByLabel('Reason').selectOption({ label: 'Client not authenticated' });
    await page.getByText('No refused request matches').waitFor();
  });

  it('shows operators those of unknown callers, and says what an id may be that is not there', async () => {
    const requestId = `stranger-${randomUUID()}`;
    const headers = { authorization: 'Bearer hunter2', 'x-request-id': requestId };
    assert.equal((await fetch(`${stage.system.url}/v1/clients`, { headers })).status, 401);
    const page = await stage.open(`/console/refused-requests?about=strangers&requestId=${requestId}`);
    const row = tableOf(page).getByRole('row').nth(1);
    await row.getByText('The token is malformed or of another kind.').waitFor();
    await row.getByText('Unknown', { exact: true }).last().waitFor();
    assert.equal((await page.content()).includes('hunter2'), false);
    await page.getByLabel('Request id').fill(`other-${randomUUID()}`);
    await page.getByText('No refused request has this id').waitFor();
  });
});
