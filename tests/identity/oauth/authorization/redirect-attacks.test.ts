import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isRegisteredRedirect } from '../../../../domain/identity/client/redirect-uri';
import { type RefusalNote, refusalHeader } from '../../../../infra/server/http/refusal-note';
import { assertPage, authorizationRequest, errorOf, redirectTarget, startWithSignedInPerson } from './fixture';
import { disable, register } from './recorded-facts';

const registered = 'https://app.example/callback';

/** Each but looks like what is registered. */
const tricks: readonly (readonly [string, string])[] = [
  ['a path that begins like it', 'https://app.example/callback/evil'],
  ['a path that ends like it', 'https://app.example/evil/callback'],
  ['a slash more', 'https://app.example/callback/'],
  ['a longer host', 'https://app.example.evil.example/callback'],
  ['a host in front', 'https://evil-app.example/callback'],
  ['a part of the domain more', 'https://evil.app.example/callback'],
  ['a user that looks like the host', 'https://app.example@evil.example/callback'],
  ['a user', 'https://user@app.example/callback'],
  ['a fragment', 'https://app.example/callback#evil'],
  ['an empty fragment', 'https://app.example/callback#'],
  ['a query more', 'https://app.example/callback?next=https://evil.example'],
  ['capitals in the host', 'https://APP.example/callback'],
  ['capitals in the path', 'https://app.example/Callback'],
  ['an encoded letter', 'https://app.example/%63allback'],
  ['an encoded slash', 'https://app.example%2fcallback'],
  ['a way up', 'https://app.example/x/../callback'],
  ['an encoded way up', 'https://app.example/callback/%2e%2e/evil'],
  ['a backslash', 'https://evil.example\\@app.example/callback'],
  ['another scheme', 'http://app.example/callback'],
  ['a script', 'javascript:alert(1)'],
  ['data', 'data:text/html,hi'],
  ['the port of https, said', 'https://app.example:443/callback'],
  ['another port', 'https://app.example:8443/callback'],
  ['no scheme', '//app.example/callback'],
  ['a space behind', 'https://app.example/callback '],
  ['a line break', 'https://app.example/callback\r\nSet-Cookie: a=b'],
  ['a nul', 'https://app.example/callback\u0000.evil.example'],
  ['a letter that looks like one', 'https://\u0430pp.example/callback'],
  ['two of them', 'https://app.example/callback,https://evil.example'],
];

describe('redirect tricks', () => {
  let stage: Awaited<ReturnType<typeof startWithSignedInPerson>>;
  before(async () => {
    stage = await startWithSignedInPerson();
    await register(stage, 'acme~native', { redirectUris: ['http://127.0.0.1/callback', 'http://[::1]:4000/callback'] });
    await register(stage, 'acme~named', { redirectUris: ['http://localhost:4000/callback'] });
    await register(stage, 'acme~gone', { firstParty: true });
    await disable(stage, 'acme~gone');
  });
  after(() => stage.close());

  const staysHere = async (changes: Record<string, string | undefined>): Promise<void> => {
    const page = await assertPage(await stage.authorize(authorizationRequest(changes), stage.browser), 400);
    assert.ok(!page.includes('evil'));
  };

  for (const [trick, redirectUri] of tricks)
    it(`leads nowhere by ${trick}`, () => staysHere({ redirect_uri: redirectUri }));

  it('are found among the refused requests, by the client, and the page names it', async () => {
    const answer = await stage.authorize(authorizationRequest({ redirect_uri: 'https://evil.example' }), stage.browser);
    const { code, clientId } = JSON.parse(
      Buffer.from(answer.headers.get(refusalHeader) ?? '', 'base64url').toString(),
    ) as RefusalNote;
    assert.deepEqual([code, clientId], ['redirect-uri-unknown', authorizationRequest().client_id]);
    assert.ok((await answer.text()).includes(`client id is ${clientId}`));
  });

  it('leads nowhere without a redirect_uri, though only one is registered', () =>
    staysHere({ redirect_uri: undefined }));
  it('leads nowhere by two of them', async () => {
    const pairs: [string, string][] = [...(Object.entries(authorizationRequest()) as [string, string][])];
    await assertPage(await stage.authorize([...pairs, ['redirect_uri', 'https://evil.example']], stage.browser), 400);
    await assertPage(await stage.authorize([...pairs, ['client_id', 'acme~native']], stage.browser), 400);
  });

  it('leads nowhere for clients that are not known, or not any longer', async () => {
    for (const name of [
      undefined,
      '',
      'acme~nobody',
      'acme',
      'other~app',
      'acme.p-1',
      '~',
      'acme~app~x',
      '$all',
      'acme~gone',
    ])
      await staysHere({ client_id: name });
  });

  it('leads nowhere for a wrong request of an address that is not proven', () =>
    staysHere({ redirect_uri: 'https://evil.example', response_type: 'token', prompt: 'none' }));

  const native = async (client: string, redirectUri: string): Promise<number> =>
    (
      await stage.authorize(
        authorizationRequest({ client_id: client, redirect_uri: redirectUri, prompt: 'none' }),
        stage.browser,
      )
    ).status;

  it('lets programs listen on any port of this machine, and nothing else differ', async () => {
    for (const fits of ['http://127.0.0.1:51004/callback', 'http://127.0.0.1/callback', 'http://[::1]:1/callback'])
      assert.equal(await native('acme~native', fits), 303, fits);
    const wrong = [
      'http://localhost:51004/callback',
      'http://127.0.0.2:51004/callback',
      'http://127.0.0.1.evil.example/callback',
      'http://127.0.0.1:51004@evil.example/callback',
      'http://127.0.0.1:51004/callback/x',
      'http://127.0.0.1:51004/CALLBACK',
      'http://127.0.0.1:0/callback',
      'http://127.0.0.1:65536/callback',
      'http://127.0.0.1:/callback',
      'http://127.0.0.1:5 1/callback',
      'https://127.0.0.1:51004/callback',
      'http://2130706433:51004/callback',
      'http://0177.0.0.1/callback',
      'http://[::ffff:127.0.0.1]:1/callback',
      'http://[::1]:1/callback#x',
    ];
    for (const redirectUri of wrong) assert.equal(await native('acme~native', redirectUri), 400, redirectUri);
  });

  it('lets programs listen by the name of this machine, too, and keeps names apart', async () => {
    for (const fits of [
      'http://localhost:4000/callback',
      'http://localhost:51004/callback',
      'http://localhost/callback',
    ])
      assert.equal(await native('acme~named', fits), 303, fits);
    const wrong = [
      'http://127.0.0.1:4000/callback',
      'http://[::1]:4000/callback',
      'http://LOCALHOST:4000/callback',
      'http://localhost.:4000/callback',
      'http://localhost.evil.example/callback',
      'http://localhost:51004@evil.example/callback',
      'http://localhost:51004/callback/x',
      'http://localhost:0/callback',
      'http://localhost:65536/callback',
      'https://localhost:51004/callback',
    ];
    for (const redirectUri of wrong) assert.equal(await native('acme~named', redirectUri), 400, redirectUri);
  });

  it('takes a pushed one by the same rule', async () => {
    const pushed = async (redirectUri: string): Promise<number> =>
      (await stage.send('/oauth/par', authorizationRequest({ client_id: 'acme~named', redirect_uri: redirectUri })))
        .status;
    assert.equal(await pushed('http://localhost:51004/callback'), 201);
    assert.equal(await pushed('http://localhost:51004/other'), 400);
  });

  it('keeps the port of an address that is not of this machine', async () => {
    await register(stage, 'acme~port', { redirectUris: ['https://app.example:8443/callback'] });
    assert.equal(await native('acme~port', 'https://app.example:8443/callback'), 303);
    assert.equal(await native('acme~port', 'https://app.example:8444/callback'), 400);
  });

  it('fits nothing but what is registered, whatever is tried', () =>
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string()), (given) => {
        assert.equal(isRegisteredRedirect([registered], given), given === registered);
      }),
      { numRuns: 50 },
    ));

  it('fits nothing but this machine by any port', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (rest) => {
        const given = `http://127.0.0.1:${rest}`;
        if (!isRegisteredRedirect(['http://127.0.0.1/callback'], given)) return;
        const { hostname, pathname, username } = new URL(given);
        assert.deepEqual([hostname, pathname, username], ['127.0.0.1', '/callback', '']);
      }),
    ));

  it('does not redirect by a parameter of the sign-in', async () => {
    for (const sealed of ['https://evil.example', '//evil.example', 'AAAA', 'x'.repeat(20_000)]) {
      await assertPage(await stage.visit(`/oauth/authorize?resume=${encodeURIComponent(sealed)}`, stage.browser), 400);
      await assertPage(await stage.visit(`/consent?request=${encodeURIComponent(sealed)}`, stage.browser), 400);
    }
  });

  it('answers errors only where the client is proven to be', async () => {
    const there = redirectTarget(
      await stage.authorize(authorizationRequest({ response_type: 'token' }), stage.browser),
    );
    assert.equal(there.origin, 'https://app.example');
    assert.equal(errorOf(there), 'unsupported_response_type');
  });
});
