/** A stolen refresh token is reused: access dies, the incident opens, and the person recovers with a passkey. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { eventually } from '../support/waiting/eventually';
import { axeViolationsOn } from './support/axe';
import { authenticator, setPassword, signedIn, usePersonPages } from './support/person-pages';

const appOrigin = 'https://app.example';
const redirectUri = `${appOrigin}/callback`;
const verifier = 'a-verifier-that-is-as-long-as-it-has-to-be-for-pkce';
const challenge = createHash('sha256').update(verifier).digest('base64url');

describe('incidents in the console', () => {
  const { stage, open, enrolled } = usePersonPages();

  const postForm = async (form: Record<string, string>) => {
    const answer = await fetch(`${stage.system.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  const statusWith = async (token: string | undefined): Promise<number> => {
    const answer = await fetch(`${stage.system.url}/v1/principals`, { headers: { authorization: `Bearer ${token}` } });
    await answer.body?.cancel();
    return answer.status;
  };
  /** Tokens of an application that the person uses. */
  const signInToApp = async (page: Page) => {
    const send = await stage.admin();
    const app = { name: 'Orders', scopes: ['principals:read'], firstParty: true, authentication: 'none' };
    const grantTypes = ['authorization_code', 'refresh_token'];
    const made = await send('/v1/clients', { ...app, grantTypes, redirectUris: [redirectUri] });
    const { clientId } = (await made.json()) as { readonly clientId: string };
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope: 'principals:read' },
      ...{ code_challenge: challenge, code_challenge_method: 'S256', state: 's' },
    });
    // With the person's cookies; no browser follows to an application that is not there.
    const led = await page.request.get(`/oauth/authorize?${query}`, { maxRedirects: 0 });
    const code = new URL(led.headers().location ?? appOrigin).searchParams.get('code') ?? '';
    const redeemed = await postForm({
      ...{ grant_type: 'authorization_code', client_id: clientId, redirect_uri: redirectUri, code },
      code_verifier: verifier,
    });
    assert.equal(redeemed.status, 200, JSON.stringify(redeemed.body));
    const refresh = (token: string | undefined) =>
      postForm({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token ?? '' });
    return { tokens: redeemed.body, refresh };
  };
  const signInWithPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' }).click();

  it('open when a stolen refresh token is reused, and end with the recovery of the person', async () => {
    const { path, principalId } = await enrolled('stolen@example.org', { roles: ['auditor'] });
    const page = await open(path);
    await authenticator(page);
    await setPassword(page);
    await page.goto('/account');
    await page.getByLabel('Name of the new passkey').fill('A key');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('A key').waitFor();
    const { tokens, refresh } = await signInToApp(page);
    const stolen = await refresh(tokens.refresh_token);
    assert.deepEqual([stolen.status, await statusWith(stolen.body.access_token)], [200, 200]);
    assert.equal((await refresh(tokens.refresh_token)).status, 400);
    await eventually(async () => assert.equal(await statusWith(stolen.body.access_token), 401));
    assert.equal((await refresh(stolen.body.refresh_token)).status, 400);

    const console = await stage.openWhen('/console/incidents', (list) =>
      list.getByRole('row', { name: /Refresh token used twice/ }),
    );
    assert.deepEqual(await axeViolationsOn(console), []);
    await console.getByRole('link', { name: 'Refresh token used twice' }).first().click();
    await console.getByText('contained', { exact: true }).waitFor();
    await console.getByText(/All gateways have confirmed/).waitFor();
    assert.deepEqual(await axeViolationsOn(console), []);
    const incidentId = new URL(console.url()).pathname.split('/').at(-1) ?? '';

    await page.goto(`/sign-in/recover?incident=${incidentId}`);
    await signInWithPasskey(page);
    await page.getByRole('heading', { name: 'Recover your access' }).waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.getByRole('button', { name: 'Recover my access' }).click();
    await signedIn(page);
    await console.getByText('recovered', { exact: true }).waitFor();
    assert.equal(await statusWith(stolen.body.access_token), 401);
    assert.equal((await refresh(stolen.body.refresh_token)).status, 400);

    const send = await stage.admin();
    assert.equal((await send(`/v1/principals/${principalId}/compromise`, { reason: 'Again.' })).status, 200);
    await stage.openWhen('/console/incidents', (list) =>
      list.getByRole('row', { name: /Principal compromised/ }).getByText('contained'),
    );
    await page.goto('/account');
    await signInWithPasskey(page);
    await page.getByRole('button', { name: 'Recover my access' }).click();
    await signedIn(page);
  });

  it('are rehearsed by drills, which show the time of each step', async () => {
    const page = await stage.open('/console/incidents');
    await page.getByRole('button', { name: 'Start a drill' }).click();
    await page.getByText('closed', { exact: true }).waitFor();
    await page.getByText(/All gateways have confirmed/).waitFor();
    assert.equal(await page.getByText(/after \d/).count(), 8);
    assert.deepEqual(await axeViolationsOn(page), []);
  });
});
