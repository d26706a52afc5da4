/** Values that only their client understands, as long as they may be, on every way through the real gateway and back. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { codeAtTime, keyIn } from '../support/identity/authenticator-app';
import {
  type LeftSite,
  openScriptlessBrowser,
  type Page,
  type ScriptlessBrowser,
} from '../support/identity/scriptless-browser';
import { contentOf, openTenant, pageOf, redirectUri, type Tenant } from '../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { fromRunner } from '../support/servers/shared-servers';

const login = 'ada@example.org';
const password = 'a quiet lamp by the sea';
const signedOutUri = 'https://app.example/signed-out';

/** ASP.NET Core's protected properties of a sign-in, with a deep link of any length: base64url that does not compress. */
const protectedState = (length: number): string => `CfDJ8${randomBytes(length).toString('base64url')}`.slice(0, length);
/** Every character that a state may have (RFC 6749 appendix A.5). */
const visibleState = (length: number): string =>
  String.fromCharCode(...Array.from(randomBytes(length), (byte) => 0x20 + (byte % 95)));

describe('opaque values of clients, through the gateway', function () {
  this.timeout(240_000);
  let system: System;
  let tenant: Tenant;
  let clientId: string;

  before(async () => {
    system = await openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
    clientId = await tenant.registerClient({
      scopes: ['openid', 'profile', 'email'],
      grantTypes: ['authorization_code'],
      postLogoutRedirectUris: [signedOutUri],
      personClaimsInIdToken: true,
      firstParty: false,
    });
    await tenant.enrol(login);
  });
  after(() => system.close());

  const openBrowser = (): ScriptlessBrowser => openScriptlessBrowser(system.url, fetch);
  const leftFor = async (step: Promise<Page | LeftSite>): Promise<URL> => {
    const result = await step;
    assert.ok(
      'left' in result,
      'left' in result ? '' : `stayed at ${result.url.pathname}: ${result.status} ${result.text}`,
    );
    return result.left;
  };
  /** Consent is required once per application. */
  const allowed = async (browser: ScriptlessBrowser, step: Page | LeftSite): Promise<URL> => {
    if ('left' in step) return step.left;
    assert.equal(step.url.pathname, '/consent', step.text);
    return leftFor(browser.press(step, { decision: 'allow' }, '/consent'));
  };
  const enterPassword = async (browser: ScriptlessBrowser, begun: Promise<Page | LeftSite>) => {
    const page = await pageOf(begun);
    assert.equal(page.url.pathname, '/sign-in', page.text);
    return browser.press(page, { login, password }, '/sign-in');
  };
  const signIn = async (browser: ScriptlessBrowser, begun: Promise<Page | LeftSite>): Promise<URL> =>
    allowed(browser, await enterPassword(browser, begun));
  const values = (state: string, nonce = 'n') => ({ scope: 'openid profile email', state, nonce });
  const redeem = async (there: URL): Promise<string> => {
    const form = tenant.redemptionOf(there.searchParams.get('code') ?? assert.fail(there.href), clientId);
    return (await contentOf<{ readonly id_token: string }>(tenant.requestToken(form))).id_token;
  };

  it('come back whole from sign-in and consent, and from signing out', async () => {
    const [state, nonce, browser] = [protectedState(8_192), protectedState(1_024), openBrowser()];
    const there = await signIn(browser, tenant.authorize(browser, clientId, values(state, nonce)));
    assert.ok(there.searchParams.get('state') === state);
    const idToken = await redeem(there);
    const {
      jwks_uri: keys,
      issuer,
      ...metadata
    } = await contentOf<Record<string, string>>(fetch(`${system.url}/.well-known/openid-configuration`));
    assert.deepEqual(metadata.id_token_signing_alg_values_supported, ['RS256', 'ES256']);
    const options = { algorithms: ['RS256'], audience: clientId, issuer: issuer ?? '' };
    const keySet = createRemoteJWKSet(new URL(`${system.url}${new URL(keys ?? '').pathname}`));
    const { payload } = await jwtVerify(idToken, keySet, options);
    assert.ok(payload.nonce === nonce);
    assert.deepEqual([payload.name, payload.preferred_username], ['Ada', login]);
    const leaving = new URLSearchParams({
      id_token_hint: idToken,
      post_logout_redirect_uri: signedOutUri,
      state,
    });
    const out = await leftFor(browser.go(`/oauth/logout?${leaving}`));
    assert.ok(out.href.startsWith(signedOutUri) && out.searchParams.get('state') === state);
  });

  it('come back whole when every character is percent-encoded, from a form', async () => {
    const [state, browser] = [visibleState(8_192), openBrowser()];
    const form = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      ...values(state),
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    };
    const post = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams(form)),
    };
    const there = await signIn(browser, browser.go('/oauth/authorize', post));
    assert.ok(there.searchParams.get('state') === state);
    const again = await leftFor(browser.go(`/oauth/authorize?${new URLSearchParams(form)}`));
    assert.ok(again.searchParams.get('state') === state);
  });

  it('come back whole from a pushed request', async () => {
    const [state, browser] = [protectedState(8_192), openBrowser()];
    const pushed = await contentOf<{ readonly request_uri: string }>(
      fetch(`${system.url}/oauth/par`, {
        method: 'POST',
        body: new URLSearchParams({
          response_type: 'code',
          client_id: clientId,
          redirect_uri: redirectUri,
          ...values(state),
          code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
          code_challenge_method: 'S256',
        }),
      }),
    );
    const query = new URLSearchParams({ client_id: clientId, request_uri: pushed.request_uri });
    const there = await signIn(browser, browser.go(`/oauth/authorize?${query}`));
    assert.ok(there.searchParams.get('state') === state);
  });

  it('outlast a second factor, whose step is stored on the server', async () => {
    const [state, browser] = [protectedState(8_192), openBrowser()];
    const authorization = tenant.authorize(browser, clientId, { ...values(state), acr_values: '2' });
    const setUp = await pageOf(enterPassword(browser, authorization));
    const code = codeAtTime(keyIn(setUp.text), Date.now());
    const result = await browser.press(setUp, { code }, '/sign-in/code');
    assert.ok('text' in result);
    const [, onward = ''] = /href="(\/oauth\/authorize\?resume=[^"]*)"/.exec(result.text) ?? [];
    const there = await allowed(browser, await browser.go(onward.replaceAll('&amp;', '&')));
    assert.ok(there.searchParams.get('state') === state);
    assert.equal(decodeJwt(await redeem(there)).acr, '2');
  });

  it('are refused beyond that, with a message that says how long they may be', async () => {
    const browser = openBrowser();
    const there = await leftFor(tenant.authorize(browser, clientId, values(protectedState(8_193))));
    assert.equal(there.searchParams.get('error_description'), 'The parameter state is longer than 8192 characters.');
    const long = await leftFor(tenant.authorize(browser, clientId, values('s', protectedState(1_025))));
    assert.equal(long.searchParams.get('error_description'), 'The parameter nonce is longer than 1024 characters.');
    const leaving = new URLSearchParams({
      client_id: clientId,
      post_logout_redirect_uri: signedOutUri,
      state: protectedState(8_193),
    });
    const page = await pageOf(browser.go(`/oauth/logout?${leaving}`));
    assert.equal(page.status, 400);
    assert.match(page.text, /more than 8192 characters/);
  });
});
