/** Signing people out for applications. */
import assert from 'node:assert/strict';
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

  it('asks the person at the browser if the hint names another sign-in or none', async () => {
    const { clientId, signIn, idToken, leave, isOver } = stage;
    const other = 'cd'.repeat(32) as SessionId;
    await signIn(other);
    const link = { client_id: clientId, post_logout_redirect_uri: logoutRedirect };
    const asked: Fields[] = [{}, link, { id_token_hint: await idToken(other) }];
    for (const fields of asked) {
      const answer = await leave(fields, cookie);
      assert.equal(answer.status, 200);
      assert.match(await answer.text(), /name="confirm"/);
    }
    assert.equal(await isOver(), false);
  });

  it('ends it by the form of that page alone', async () => {
    const { process, clientId, leave, isOver } = stage;
    const asked = await (
      await leave({ client_id: clientId, post_logout_redirect_uri: logoutRedirect, state: '"><b>' }, cookie)
    ).text();
    assert.ok(!asked.includes('"><b>'));
    const csrf = /name="csrf" value="([^"]+)"/.exec(asked)?.[1] as string;
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
    const { clientId, process, idToken, leave, isOver } = stage;
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
    const wrongs: Fields[] = [
      { client_id: 'acme~other' },
      { id_token_hint: `${id_token_hint}x` },
      { id_token_hint: 'x' },
    ];
    for (const wrong of wrongs) assert.equal((await leave({ id_token_hint, ...wrong }, cookie)).status, 400);
    const { refreshToken } = await open(process.deps, clientId);
    const access = String((await jsonOf(process.refresh(refreshToken, clientId))).access_token);
    assert.equal((await leave({ id_token_hint: access }, cookie)).status, 400);
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
