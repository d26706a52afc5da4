/** Consent, devices and applications, as people see them: in a browser that holds pages to their policy. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { type Opened, openPage } from '../support/browser/browser-page';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';
import { signedIn as inOwnPages } from './support/person-pages';

const strong = 'a quiet lamp by the sea';
const client = 'main~cli';

describe('pages of authorization', () => {
  const stage = useConsole();
  let opened: Opened | undefined;
  afterEach(async () => {
    await opened?.close();
    // Going to the program is what the test is about.
    assert.deepEqual(
      opened?.errors.filter((error) => !error.includes('/callback?')),
      [],
    );
  });

  const signedIn = async (login: string): Promise<Page> => {
    const send = await stage.admin();
    const made = await send('/v1/people', { login, displayName: 'Ada Lovelace', roles: ['auditor'] });
    const { enrolmentUrl } = (await made.json()) as { readonly enrolmentUrl: string };
    opened = await openPage(stage.browser, stage.system.url, {});
    const { page } = opened;
    await page.goto(new URL(enrolmentUrl).pathname + new URL(enrolmentUrl).search);
    await page.getByLabel('New password').fill(strong);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await inOwnPages(page);
    return page;
  };
  const fine = async (page: Page): Promise<void> => assert.deepEqual(await axeViolationsOn(page), []);
  const post = (path: string, form: Record<string, string>): Promise<Response> =>
    fetch(`${stage.system.url}${path}`, { method: 'POST', body: new URLSearchParams(form) });

  it('ask for consent, lead back to a program that listens, and let it be taken back', async () => {
    const page = await signedIn('consents@example.org');
    const server = createServer((_request, response) => response.end('<p>Back to the command line.</p>'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const redirect = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client,
      redirect_uri: redirect,
      scope: 'openid principals:read',
      code_challenge_method: 'S256',
      state: 's',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    });
    await page.goto(`/oauth/authorize?${query}`);
    await page.getByRole('heading', { name: 'Allow Septet command line?' }).waitFor();
    await fine(page);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Back to the command line.').waitFor();
    const code = new URL(page.url()).searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', client_id: client, redirect_uri: redirect };
    assert.equal((await post('/oauth/token', { ...form, code, code_verifier: verifier })).status, 200);
    server.close();
    await page.goto(`${stage.system.url}/account/applications`);
    await page.getByText('Septet command line').waitFor();
    await fine(page);
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('You have not allowed any application.').waitFor();
  });

  it('let a device be allowed by its code', async () => {
    const page = await signedIn('devices@example.org');
    const response = await post('/oauth/device_authorization', { client_id: client, scope: 'principals:read' });
    const device = (await response.json()) as Record<string, string>;
    await page.goto(device.verification_uri ?? '');
    await fine(page);
    await page.getByLabel('The code that the device shows').fill(device.user_code ?? '');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(device.user_code ?? '').waitFor();
    await fine(page);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'The device is allowed' }).waitFor();
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: client };
    const answer = await post('/oauth/token', { ...form, device_code: device.device_code ?? '' });
    assert.equal(answer.status, 200);
  });
});
