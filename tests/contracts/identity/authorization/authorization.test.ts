/** Authorization as clients meet it: through the gateway, answered by whichever of several processes. */
import assert from 'node:assert/strict';
import { commandLineFlow } from '../../../support/identity/oauth-command-line';
import { codeFlow, deviceFlow, dpopBoundFlow, publicClient, redirectUri } from '../../../support/identity/oauth-flows';
import { startAuthorizationProcesses } from './fixture';

type Stage = Awaited<ReturnType<typeof startAuthorizationProcesses>>;

/** RFC 7636, appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('authorization through the gateway', function () {
  this.timeout(120_000);
  let stage: Stage;
  before(async () => {
    stage = await startAuthorizationProcesses();
  });
  after(() => stage.close());

  const query = new URLSearchParams({
    response_type: 'code',
    client_id: publicClient,
    redirect_uri: redirectUri,
    scope: 'principals:read',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 's',
  });
  const redeem = (code: string): Promise<Response> =>
    fetch(`${stage.authorizationServer.issuer}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: publicClient,
        redirect_uri: redirectUri,
        code,
        code_verifier: verifier,
      }),
    });

  it('completes the code flow with PKCE and OpenID Connect', () => codeFlow(stage.authorizationServer));
  it('completes it pushed, with consent, a secret, and bound to a key', () => dpopBoundFlow(stage.authorizationServer));
  it('completes the device flow', () => deviceFlow(stage.authorizationServer));
  it('completes it from a command line that listens on this machine', () => commandLineFlow(stage.authorizationServer));

  it('a code used against several processes at once: one gets tokens, and they stand', async () => {
    const gone = await stage.authorizationServer
      .browser()
      .go(`${stage.authorizationServer.issuer}/oauth/authorize?${query}`);
    assert.ok('left' in gone);
    const code = gone.left.searchParams.get('code') ?? '';
    const answers = await Promise.all(Array.from({ length: 40 }, () => redeem(code)));
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 1);
    assert.deepEqual(
      [...new Set(statuses)].filter((status) => status !== 200),
      [400],
    );
    const won = answers.find(({ status }) => status === 200) as Response;
    const { refresh_token: refreshToken } = (await won.json()) as { refresh_token: string };
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: publicClient,
      refresh_token: refreshToken,
    });
    const refreshed = await fetch(`${stage.authorizationServer.issuer}/oauth/token`, { method: 'POST', body });
    assert.equal(refreshed.status, 200);
  });

  it('header smuggling and clickjacking: pages keep their policy, and the cookie goes to pages alone', async () => {
    const page = await fetch(`${stage.authorizationServer.issuer}/oauth/authorize?client_id=acme~nobody`, {
      redirect: 'manual',
    });
    assert.equal(page.status, 400);
    assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.equal(page.headers.get('x-frame-options'), 'DENY');
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    const headers = { 'septet-identity': 'v1.e30.AAAA', 'x-forwarded-for': '203.0.113.9' };
    const smuggled = await fetch(`${stage.authorizationServer.issuer}/oauth/authorize?${query}`, {
      headers,
      redirect: 'manual',
    });
    assert.equal(smuggled.status, 303);
    assert.equal(
      new URL(smuggled.headers.get('location') ?? '', stage.authorizationServer.issuer).pathname,
      '/sign-in',
    );
  });
});
