import assert from 'node:assert/strict';
import { useConsole } from './support/fixture';

const refusedLoad = /Failed to load resource/;

describe('the console, signing in', () => {
  const stage = useConsole();

  it('signs a program in by keyboard alone', async () => {
    const { clientId, clientSecret } = stage.credential;
    const page = await stage.open('/console/sign-in', { isStranger: true });
    await page.getByLabel('Client id').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type(clientId);
    await page.keyboard.press('Tab');
    await page.keyboard.type(clientSecret);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.waitForFunction("document.title === 'Overview · Septet'");
  });

  it('displays the server’s reason for a refused sign-in, with the request id', async () => {
    const page = await stage.open('/console/sign-in', { isStranger: true, expects: refusedLoad });
    await page.getByLabel('Client id').fill('main.nobody');
    await page.getByLabel('Client secret').fill('nothing');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('The client is unknown, or what it authenticates with is not valid.').waitFor();
    assert.match((await alert.textContent()) ?? '', /Request [0-9a-f-]{36}/);
  });

  it('keeps tokens and session from scripts', async () => {
    const page = await stage.open('/console/streams');
    await page.getByRole('heading', { level: 1, name: 'Streams' }).waitFor();
    const seen = 'document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })';
    assert.equal(await page.evaluate(seen), '{}');
  });

  it('opens sockets and streams of its own pages with the session alone', async () => {
    const page = await stage.open('/console/streams');
    const firstMessage = await page.evaluate<string>(`new Promise((resolve, reject) => {
      const socket = new WebSocket(location.origin.replace('http', 'ws') + '/v1/streams', 'septet.streams.v1');
      socket.onmessage = ({ data }) => resolve(data);
      socket.onclose = ({ code }) => reject(new Error(String(code)));
    })`);
    assert.equal((JSON.parse(firstMessage) as { type: string }).type, 'welcome');
  });

  it('signs out, for every tab', async () => {
    const { clientId, clientSecret } = stage.credential;
    const page = await stage.open('/console/sign-in', { isStranger: true, expects: refusedLoad });
    await page.getByLabel('Client id').fill(clientId);
    await page.getByLabel('Client secret').fill(clientSecret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const other = await page.context().newPage();
    await other.goto('/console/views');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    // The page queries the state of the views every two seconds.
    await other.getByRole('dialog').waitFor();
  });
});

describe('the console, when a session ends under an open page', () => {
  const stage = useConsole();

  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const send = await stage.admin();
    const answer = await send(path, body);
    assert.ok(answer.ok, `${path} ${answer.status}`);
    return (await answer.json()) as Record<string, unknown>;
  };

  it('leaves the page as it is, and goes on with it once one has signed in again', async () => {
    const { principalId } = await post('/v1/principals', { principalType: 'PIPELINE' });
    const scopes = ['platform:read', 'platform:write'];
    const { clientId, clientSecret } = await post(`/v1/principals/${principalId}/credentials`, { scopes });
    const page = await stage.open('/console/sign-in', { isStranger: true, expects: refusedLoad });
    await page.getByLabel('Client id').fill(String(clientId));
    await page.getByLabel('Client secret').fill(String(clientSecret));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Streams', exact: true }).click();
    await page.getByLabel('Name or event id').fill('principal-main.adm');
    await page.getByTitle('identity.principal-main.admin').waitFor();
    await page
      .getByRole('link', { name: /Issued tokens/ })
      .first()
      .waitFor({ state: 'detached' });

    // The filter's query has been answered, so the page sends no request until the next typing.
    await post(`/v1/principals/${principalId}/suspend`, { reason: 'lunch' });
    await page.getByLabel('Name or event id').fill('principal-main.ad');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    assert.equal(await page.getByTitle('identity.principal-main.admin').count(), 1);
    assert.equal(await dialog.getByLabel('Client id').inputValue(), clientId);

    await post(`/v1/principals/${principalId}/reactivate`, { reason: 'back' });
    // The one of before went with the suspension.
    const next = await post(`/v1/principals/${principalId}/credentials`, { scopes });
    await dialog.getByLabel('Client secret').fill(String(next.clientSecret));
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Name or event id').inputValue(), 'principal-main.ad');
    await page.getByTitle('identity.principal-main.admin').waitFor();
  });
});
