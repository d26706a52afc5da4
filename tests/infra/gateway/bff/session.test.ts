import assert from 'node:assert/strict';
import { assertRefused } from '../../../support/gateway/gateway-services';
import { client, fromPage, origin, startSessions } from '../../../support/gateway/sessions';
import { sendRawRequest } from '../../../support/http/http-service';
import { jsonOf } from '../../../support/identity/admin';

type Stage = Awaited<ReturnType<typeof startSessions>>;

describe('sessions of browsers', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await startSessions();
  });
  afterEach(() => stage.close());

  const things = (headers: Record<string, string>, init: RequestInit = {}) =>
    fetch(`${stage.url}/v1/things`, { ...init, headers });
  const write = (headers: Record<string, string>) =>
    things({ 'content-type': 'application/json', ...headers }, { method: 'POST', body: '{"text":"x"}' });

  it('begin with a credential, and show who is signed in but no token', async () => {
    const { response, cookie } = await stage.signIn();
    assert.equal(response.status, 201);
    const whole = response.headers.get('set-cookie') ?? '';
    assert.match(whole, /^septet-80=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    const begun = await jsonOf(response);
    assert.deepEqual(
      [begun.tenantId, begun.principalId, begun.clientId, begun.clientSecret],
      ['acme', 'p-1', client.clientId, undefined],
    );
    const who = await stage.session('GET', { cookie });
    assert.deepEqual(await jsonOf(who), begun);
  });

  it('do not begin with anything else, and say why', async () => {
    await assertRefused((await stage.signIn({ ...client, clientSecret: 'other' })).response, 401, 'sign-in-refused');
    await assertRefused((await stage.signIn({ code: 'the-code' })).response, 400, 'invalid-input');
    await assertRefused((await stage.signIn({ clientId: 'x' })).response, 400, 'invalid-input');
    await assertRefused((await stage.signIn({ ...client, remember: true } as never)).response, 400, 'invalid-input');
    stage.issuer.isAway = true;
    await assertRefused((await stage.signIn()).response, 503, 'service-unavailable');
  });

  it('go on while their store is away, with new tokens too, and begin or end only with it', async () => {
    const { cookie } = await stage.signIn();
    assert.equal((await things({ cookie })).status, 200);
    stage.outage.isAway = true;
    assert.equal((await things({ cookie })).status, 200);
    stage.clock.skew = (stage.issuer.lifeSeconds - 10) * 1_000;
    assert.equal((await things({ cookie })).status, 200);
    assert.equal(stage.issuer.issued, 2, 'renewed once, not at each request');
    assert.equal((await things({ cookie })).status, 200);
    assert.equal(stage.issuer.issued, 2);
    assert.equal((await stage.signIn()).response.status, 503);
    const { cookie: unknown } = { cookie: cookie.replace(/.{10}$/, 'AAAAAAAAAA') };
    assert.equal((await things({ cookie: unknown })).status, 503);
    stage.clock.skew = 16 * 60_000;
    assert.equal((await things({ cookie })).status, 503, 'not for ever');
    stage.outage.isAway = false;
    assert.equal((await things({ cookie })).status, 200);
  });

  it('that ended are not remembered', async () => {
    const { cookie } = await stage.signIn();
    assert.equal((await things({ cookie })).status, 200);
    assert.equal((await stage.session('DELETE', { cookie })).status, 204);
    stage.outage.isAway = true;
    assert.equal((await things({ cookie })).status, 503);
  });

  it('stand for their principal in reads and writes, while the cookie goes no further', async () => {
    const { cookie } = await stage.signIn();
    const read = await jsonOf(await things({ cookie }));
    assert.equal((read.identity as { principalId: string }).principalId, 'p-1');
    assert.ok(!('cookie' in (read.headers as object)) && !('authorization' in (read.headers as object)));
    assert.equal((await write({ ...fromPage, cookie })).status, 200);
  });

  it('are taken from pages of ours only', async () => {
    const { cookie } = await stage.signIn();
    const { origin: _origin, ...withoutOrigin } = fromPage;
    for (const headers of [
      { ...fromPage, origin: 'http://elsewhere.test' },
      { ...fromPage, 'sec-fetch-site': 'cross-site' },
      { ...fromPage, 'sec-fetch-site': 'same-site' },
      { origin },
      { ...withoutOrigin },
      { ...withoutOrigin, 'sec-fetch-site': 'none' },
      { ...fromPage, 'septet-console': '0' },
    ] as Record<string, string>[])
      await assertRefused(await write({ ...headers, cookie }), 403, 'foreign-page');
    assert.equal((await write({ ...withoutOrigin, 'sec-fetch-site': 'same-origin', cookie })).status, 200);
    await assertRefused(await things({ cookie, origin: 'http://elsewhere.test' }), 403, 'foreign-page');
    await assertRefused(await stage.session('POST', { origin: 'http://elsewhere.test' }, client), 403, 'foreign-page');
    const warnings = stage.log.lines.filter(({ level }) => level === 'warn');
    assert.deepEqual(
      warnings.map(({ fields }) => fields),
      [{ origin: 'http://elsewhere.test', publicOrigin: origin }],
      'once, though several were refused',
    );
    assert.match(warnings[0]?.message ?? '', /PUBLIC_URL/);
    await assertRefused(await stage.session('DELETE', { 'septet-console': '', cookie }), 403, 'foreign-page');
  });

  it('are not looked at where a token is shown, nor where two cookies are', async () => {
    const { cookie } = await stage.signIn();
    await assertRefused(await things({ cookie, authorization: 'Bearer nonsense' }), 401, 'unauthenticated');
    await assertRefused(await things({ cookie: `${cookie}; ${cookie}` }), 401, 'unauthenticated');
    await assertRefused(await things({ cookie: 'septet-80=short' }), 401, 'unauthenticated');
  });

  it('end with signing out, everywhere', async () => {
    const { cookie } = await stage.signIn();
    const out = await stage.session('DELETE', { cookie });
    assert.equal(out.status, 204);
    assert.match(out.headers.get('set-cookie') ?? '', /^septet-80=; .*Max-Age=0$/);
    await assertRefused(await things({ cookie }), 401, 'session-ended');
    assert.equal((await stage.session('DELETE', { cookie })).status, 204);
  });

  it('report without an error that no person is signed in', async () => {
    assert.equal((await stage.session('GET')).status, 204);
    await assertRefused(await fetch(`${stage.url}/console/session?x=1`, { headers: fromPage }), 400, 'invalid-input');
  });

  it('end the one that the browser had before', async () => {
    const { cookie: before } = await stage.signIn();
    const { cookie } = await stage.signIn(client, { cookie: before });
    assert.notEqual(cookie, before);
    await assertRefused(await things({ cookie: before }), 401, 'session-ended');
    assert.equal((await things({ cookie })).status, 200);
  });

  it('renew their token before it ends, once for all who ask at the time', async () => {
    stage.issuer.lifeSeconds = 60;
    const { cookie } = await stage.signIn();
    stage.clock.skew = 40_000;
    const answers = await Promise.all(Array.from({ length: 10 }, () => things({ cookie })));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal(stage.issuer.issued, 2);
  });

  it('go on with the token they have while no other is to be had', async () => {
    stage.issuer.lifeSeconds = 60;
    const { cookie } = await stage.signIn();
    stage.clock.skew = 40_000;
    stage.issuer.isAway = true;
    assert.equal((await things({ cookie })).status, 200);
    stage.clock.skew = 61_000;
    await assertRefused(await things({ cookie }), 503, 'service-unavailable');
  });

  it('end when they are too old, used or not', async () => {
    const { cookie } = await stage.signIn();
    for (let hour = 1; hour < 12; hour += 1) {
      stage.clock.skew = hour * 3_600_000;
      assert.equal((await stage.session('GET', { cookie })).status, 200);
    }
    stage.clock.skew = 12 * 3_600_000;
    await assertRefused(await stage.session('GET', { cookie }), 401, 'session-ended');
  });

  it('end when they are idle', async () => {
    const { cookie } = await stage.signIn();
    stage.clock.skew = 2 * 3_600_000;
    await assertRefused(await stage.session('GET', { cookie }), 401, 'session-ended');
  });

  it('open sockets for pages of ours only', async () => {
    const { cookie } = await stage.signIn();
    const handshake = (...headers: readonly string[]) =>
      sendRawRequest(
        stage.port,
        [
          'GET /v1/streams HTTP/1.1',
          `Host: 127.0.0.1:${stage.port}`,
          'Connection: Upgrade',
          'Upgrade: websocket',
          'Sec-WebSocket-Version: 13',
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
          ...headers,
          '\r\n',
        ].join('\r\n'),
      );
    const statusOf = (answer: string): string => answer.slice(9, 12);
    assert.equal(statusOf(await handshake(`Origin: ${origin}`)), '401');
    assert.match(await handshake(`Cookie: ${cookie}`), /^HTTP\/1.1 403 .*foreign-page/s);
    assert.equal(statusOf(await handshake(`Cookie: ${cookie}`, 'Origin: http://elsewhere.test')), '403');
    // The caller is authenticated; the test's service has no sockets.
    assert.equal(statusOf(await handshake(`Cookie: ${cookie}`, `Origin: ${origin}`)), '404');
  });

  it('take another method for what it is', async () => {
    await assertRefused(await stage.session('PUT', {}, {}), 405, 'method-not-allowed');
  });
});
