/** Signing people out for applications. */
import assert from 'node:assert/strict';
import { right } from 'fp-ts/Either';
import { decodeJwt } from 'jose';
import type { SessionId } from '../../../domain/identity/ids';
import { jsonOf } from '../command-api';
import { open, registerApplication, sessionId } from '../grants/fixture';
import { logoutRedirect, type Stage, startLogout } from './logout-fixture';

type Fields = Record<string, string>;

describe('signing a person out for an application', () => {
  let stage: Stage;
  let cookie: string;
  beforeEach(async () => {
    stage = await startLogout();
    cookie = await stage.signIn(sessionId);
  });
  afterEach(() => stage.process.close());

  it('ends the session that its id_token names, and goes on to where the application said', async () => {
    const { idToken, leave, isOver } = stage;
    const hint = { id_token_hint: await idToken(), post_logout_redirect_uri: logoutRedirect, state: 'a b' };
    const answer = await leave(hint, cookie);
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), `${logoutRedirect}?state=a+b`);
    assert.match(answer.headers.get('set-cookie') ?? '', /Max-Age=0/);
    assert.ok(await isOver());
  });

  it('takes an id_token that has expired', async () => {
    const { process, idToken, leave, isOver } = stage;
    const hint = await idToken();
    process.deps.wait(3_000);
    assert.equal((await leave({ id_token_hint: hint }, cookie)).status, 200);
    assert.ok(await isOver());
  });

  it('takes an id_token of a key that was retired since, and none of one that was revoked', async () => {
    const { process, idToken, leave, isOver } = stage;
    const hint = await idToken();
    const { kms } = process.deps;
    const { hintKeys } = kms;
    Object.assign(kms, { publicKeys: async () => right([]), hintKeys: async () => right([]) });
    assert.match(await (await leave({ id_token_hint: hint }, cookie)).text(), /name="confirm"/);
    assert.equal(await isOver(), false);
    Object.assign(kms, { hintKeys });
    assert.match(await (await leave({ id_token_hint: hint }, cookie)).text(), /You are signed out/);
    assert.ok(await isOver());
  });

  it('asks nothing with a token of a grant that goes on after the session, which the token names also once it is refreshed', async () => {
    const { process, clientId, leave, isOver } = stage;
    const { refreshToken } = await open(process.deps, clientId);
    const refreshed = await jsonOf(process.refresh(refreshToken, clientId));
    const hint = String(refreshed.id_token);
    assert.deepEqual([decodeJwt(hint).sid, decodeJwt(String(refreshed.access_token)).sid], [sessionId, undefined]);
    assert.match(await (await leave({ id_token_hint: hint }, cookie)).text(), /You are signed out/);
    assert.ok(await isOver());
    // The grant survives (OpenID Connect Core section 11).
    const again = await process.refresh(String(refreshed.refresh_token), clientId);
    assert.equal(again.status, 200);
  });

  it('asks nothing with a token of an earlier sign-in of the person signed in', async () => {
    const { signIn, idToken, leave, isOver } = stage;
    const earlier = 'cd'.repeat(32) as SessionId;
    await signIn(earlier);
    const hint = await idToken(earlier);
    assert.match(await (await leave({ id_token_hint: hint }, cookie)).text(), /You are signed out/);
    assert.deepEqual([await isOver(), await isOver(earlier)], [true, true]);
  });

  it('asks the person at the browser if the hint is of another person, cannot be verified, or is missing', async () => {
    const { process, clientId, idToken, leave, isOver } = stage;
    const { refreshToken } = await open(process.deps, clientId);
    const access = String((await jsonOf(process.refresh(refreshToken, clientId))).access_token);
    const other = { principalId: await stage.anotherPerson(), sessionId: 'cd'.repeat(32) as SessionId };
    const requests: Fields[] = [
      {},
      { client_id: clientId, post_logout_redirect_uri: logoutRedirect },
      { id_token_hint: await idToken(other.sessionId, other.principalId) },
      { id_token_hint: `${await idToken()}x` },
      { id_token_hint: 'x' },
      { id_token_hint: access },
    ];
    for (const fields of requests) {
      const answer = await leave(fields, cookie);
      assert.equal(answer.status, 200);
      assert.match(await answer.text(), /name="confirm"/);
    }
    assert.equal(await isOver(), false);
  });

  it('asks without hint and client, and follows no address that nobody registered', async () => {
    const { process, leave, isOver } = stage;
    // As ASP.NET Core sends it where it has not saved the tokens.
    const link = { post_logout_redirect_uri: 'https://app.example/signout-callback-oidc', state: 'CfDJ8' };
    const confirmation = await (await leave(link, cookie)).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(confirmation)?.[1] as string;
    assert.equal(await isOver(), false);
    const answer = await process.post('/oauth/logout', { ...link, csrf, confirm: 'yes' }, { cookie });
    const page = await answer.text();
    assert.deepEqual([answer.status, answer.headers.get('location')], [200, null]);
    assert.match(page, /You are signed out/);
    assert.ok(!page.includes('app.example'));
    assert.ok(await isOver());
    const anonymous = await leave({ ...link, post_logout_redirect_uri: logoutRedirect });
    assert.deepEqual([anonymous.status, anonymous.headers.get('location')], [200, null]);
  });

  it('ends it by the form of that page alone', async () => {
    const { process, clientId, leave, isOver } = stage;
    const confirmation = await (
      await leave({ client_id: clientId, post_logout_redirect_uri: logoutRedirect, state: '"><b>' }, cookie)
    ).text();
    assert.ok(!confirmation.includes('"><b>'));
    const csrf = /name="csrf" value="([^"]+)"/.exec(confirmation)?.[1] as string;
    const form = { client_id: clientId, post_logout_redirect_uri: logoutRedirect, confirm: 'yes' };
    const forged: Fields[] = [{}, { csrf: 'x'.repeat(43) }];
    for (const token of forged)
      assert.equal((await process.post('/oauth/logout', { ...form, ...token }, { cookie })).status, 403);
    const elsewhere = { cookie, 'sec-fetch-site': 'cross-site' };
    assert.equal((await process.post('/oauth/logout', { ...form, csrf }, elsewhere)).status, 403);
    assert.equal(await isOver(), false);
    const answer = await process.post('/oauth/logout', { ...form, csrf }, { cookie });
    assert.match(await answer.text(), /https:\/\/app\.example\/bye/);
    assert.ok(await isOver());
  });

  it('redirects only to registered addresses of the right application', async () => {
    const { clientId, idToken, leave, isOver } = stage;
    const id_token_hint = await idToken();
    const evil = [
      'https://evil.example/',
      `${logoutRedirect}/x`,
      `${logoutRedirect}?x=1`,
      'https://app.example.evil/bye',
      'javascript:alert(1)',
      '//evil',
    ];
    for (const uri of evil) {
      const answer = await leave({ id_token_hint, client_id: clientId, post_logout_redirect_uri: uri }, cookie);
      assert.equal(answer.status, 400, uri);
      assert.equal(answer.headers.get('location'), null);
    }
    assert.equal((await leave({ id_token_hint, client_id: 'acme~other' }, cookie)).status, 400);
    assert.equal(await isOver(), false);
  });

  it('goes on to a native application on any port of this machine', async () => {
    const { shared, leave } = stage;
    const postLogoutRedirectUris = ['http://localhost/bye', 'http://127.0.0.1:4000/bye', 'http://[::1]/bye'];
    const client_id = await registerApplication(shared, 'native', { postLogoutRedirectUris });
    const leads = async (uri: string): Promise<string | null> =>
      (await leave({ client_id, post_logout_redirect_uri: uri })).headers.get('location');
    for (const uri of ['http://localhost:51004/bye', 'http://127.0.0.1:51004/bye', 'http://[::1]:51004/bye'])
      assert.equal(await leads(uri), uri);
    for (const uri of ['http://localhost:51004/other', 'http://localhost.evil.example/bye', 'https://localhost:1/bye'])
      assert.equal(await leads(uri), null, uri);
  });

  it('clears no cookie of a browser that showed none', async () => {
    const { idToken, leave } = stage;
    const answer = await leave({ id_token_hint: await idToken() });
    assert.equal(answer.headers.get('set-cookie'), null);
  });
});
