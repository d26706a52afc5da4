/** Against a third-party provider. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openIdentityProviders } from '../../../infra/adapters/oidc/identity-providers';
import { type PeopleStage, startPeople } from '../../identity/sign-in/fixture';

interface Provider {
  readonly listen: (port: number, host: string) => Server;
}
/** It has no types and is a module of the other kind. */
const { default: open } = require('oidc-provider') as { default: new (issuer: string, options: object) => Provider };

const password = 'a password between two services';

const startReal = async () => {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const client = {
    client_id: 'septet',
    client_secret: password,
    redirect_uris: ['https://septet.example/sign-in/back'],
    id_token_signed_response_alg: 'ES256',
    token_endpoint_auth_method: 'client_secret_post',
  };
  const port = await new Promise<number>((resolve) => {
    const probe = require('node:net').createServer();
    probe.listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as AddressInfo;
      probe.close(() => resolve(free));
    });
  });
  const origin = `http://127.0.0.1:${port}`;
  const account = (_: unknown, id: string) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@example.org`, email_verified: true, name: 'Grace' }),
  });
  const provider = new open(origin, {
    clients: [client],
    jwks: { keys: [{ ...key, alg: 'ES256', use: 'sig' }] },
    findAccount: account,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['a key for cookies'] },
    pkce: { required: () => true },
  });
  const server = provider.listen(port, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin, close };
};

/** Signs in and agrees there, as a person does in a browser, until the provider leads back to us. */
const visit = async (start: string, login: string): Promise<URL> => {
  const jar = new Map<string, string>();
  let url = start;
  let form: Record<string, string> | undefined;
  for (let steps = 0; steps < 12 && !url.startsWith('https://septet.example/'); steps += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
    const answer: Response = await fetch(url, { ...sent, headers: { cookie }, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const location = answer.headers.get('location');
    const text = await answer.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1] ?? 'login';
    form = location === null ? { prompt, login, password: 'anything' } : undefined;
    url = new URL(location ?? url, url).href;
  }
  return new URL(url);
};

describe('a third-party provider', () => {
  let stage: PeopleStage;
  let real: Awaited<ReturnType<typeof startReal>>;
  before(async () => {
    real = await startReal();
    stage = await startPeople({ providers: openIdentityProviders({ allowPrivate: true }) });
  });
  after(async () => {
    await stage.close();
    await real.close();
  });

  it('signs a person in, who is made when they first come and known when they come again', async () => {
    const one = { providerId: 'real', name: 'Real', issuer: real.origin, clientId: 'septet', provisioning: 'on' };
    const rules = { mfa: 'enrolled', passwords: true, passkeys: true, sessionSeconds: 3_600 };
    await stage.api('PUT', '/v1/sign-in-policy', {
      ...rules,
      providers: [{ ...one, domains: ['example.org'], password }],
    });
    const arrive = async () => {
      const browser = stage.browser();
      await browser.open('/sign-in');
      const leaving = browser.onward(await browser.submit('/sign-in/with'));
      const back = await visit(leaving ?? '', 'grace');
      assert.equal(back.searchParams.get('iss'), real.origin);
      return browser.open(`${back.pathname}${back.search}`);
    };
    const [first, second] = [await arrive(), await arrive()];
    for (const page of [first, second]) assert.match(page.text, /Signed in as <strong>grace@example.org</);
    assert.equal(second.text.match(/>this browser</g)?.length, 1);
    assert.equal(second.text.match(/<li class="row"><span>\w/g)?.length, 3);
  });
});
