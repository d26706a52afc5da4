/** One address that many share: what a stranger or a broken client at it can do to the others. */
import assert from 'node:assert/strict';
import { hash, randomUUID } from 'node:crypto';
import * as t from 'io-ts';
import { accountCookies } from '../../../../infra/server/http/identity/account-cookies';
import type { BoundRoute } from '../../../../infra/server/http/routing/route';
import type { Policy } from '../../../../packages/ratelimit/src/policy/policy';
import { accessTokenHash } from '../../../../packages/resource-server/src/dpop/verify-proof';
import { jwksRoute, startGateway } from '../../../support/gateway/gateway';
import { echoRoute, type TestedGateway } from '../../../support/gateway/gateway-services';
import { gatewayPolicyOf, slowBucket, smallGatewayPolicy } from '../../../support/gateway/small-limits';
import { startHttpService } from '../../../support/http/http-service';
import { eventually } from '../../../support/waiting/eventually';

const office = '203.0.113.9';
const elsewhere = '198.51.100.7';
const plain = { operation: 'test', summary: 'A test route.', answers: { 200: { description: 'Done.' } } } as const;

/** As the command API does: the right secret is answered with 200, any other with 401. */
const tokenEndpoint: BoundRoute = {
  ...plain,
  method: 'post',
  path: '/oauth/token',
  access: 'public',
  bodyType: 'form',
  body: t.UnknownRecord,
  handle: async ({ body }) => {
    const { client_secret: secret } = body as { client_secret?: string };
    return { status: secret === 'right' ? 200 : 401, body: {} };
  },
};

/** Signs a browser in whose visit is known to be Ada's, and refuses every other. */
const signInPage: BoundRoute = {
  ...plain,
  method: 'post',
  path: '/sign-in',
  access: 'public',
  page: true,
  bodyType: 'form',
  body: t.UnknownRecord,
  handle: async ({ headers }) =>
    headers.cookie?.includes('ada') === true
      ? { status: 200, page: '', headers: {}, cookies: ['septet-device-80=adas-device; Path=/'] }
      : { status: 401, page: '', headers: {} },
};

const showSignIn: BoundRoute = {
  ...plain,
  method: 'get',
  path: '/sign-in',
  access: 'public',
  page: true,
  handle: async () => ({ status: 200, page: '', headers: {} }),
};

describe('an address that many share', () => {
  let gateway: TestedGateway;
  afterEach(() => gateway.close());

  const start = async (policy: Policy): Promise<void> => {
    const things = echoRoute('get', '/v1/things', { scopes: ['things:read'] });
    const service = await startHttpService([jwksRoute, tokenEndpoint, signInPage, showSignIn, things]);
    const ports = { commandsPort: service.port, readApiPort: service.port };
    const cookies = accountCookies('http://septet.test');
    const started = await startGateway({
      ...ports,
      policy,
      accountCookies: cookies,
      trustedProxies: ['127.0.0.0/8'],
    });
    const { close } = started;
    gateway = { ...started, close: async () => void (await Promise.all([close(), service.close()])) };
  };
  const failing = (callers: number, place: number): Policy =>
    gatewayPolicyOf(
      ...smallGatewayPolicy(callers, 'refused-caller').defaults,
      ...smallGatewayPolicy(place, 'refused-place').defaults.map((rule) => ({ ...rule, limit: slowBucket(place) })),
    );

  const read = async (authorization?: string, address = office): Promise<number> => {
    const headers = { 'x-forwarded-for': address, ...(authorization === undefined ? {} : { authorization }) };
    return (await fetch(`${gateway.url}/v1/things`, { headers })).status;
  };
  const tokenFor = async (form: Record<string, string>, address = office): Promise<number> =>
    (
      await fetch(`${gateway.url}/oauth/token`, {
        method: 'POST',
        headers: { 'x-forwarded-for': address, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      })
    ).status;
  const signIn = async (cookie: string): Promise<number> =>
    (
      await fetch(`${gateway.url}/sign-in`, {
        method: 'POST',
        headers: { 'x-forwarded-for': office, 'content-type': 'application/x-www-form-urlencoded', cookie },
        body: 'login=x',
      })
    ).status;
  const flooded = (send: () => Promise<number>): Promise<void> =>
    eventually(async () => assert.equal(await send(), 429));
  const good = (): string => `Bearer ${gateway.token({ jti: String(Math.random()) })}`;

  it('is not shut out by one broken client: its token, sign-in, discovery and the token endpoint answer everybody else', async () => {
    await start(failing(3, 50));
    await flooded(() => read('Bearer expired'));
    for (let time = 0; time < 100; time += 1) await read('Bearer expired');
    assert.equal(await read('Bearer expired'), 429);
    assert.equal(await read('Bearer another'), 401);
    assert.equal(await read(good()), 200);
    assert.equal(await tokenFor({ client_id: 'orders', client_secret: 'right' }), 200);
    assert.equal((await fetch(`${gateway.url}/sign-in`, { headers: { 'x-forwarded-for': office } })).status, 200);
    assert.equal((await fetch(`${gateway.url}/oauth/jwks`, { headers: { 'x-forwarded-for': office } })).status, 200);
    assert.equal(await signIn('septet-visit-80=ada'), 200);
  });

  it('is not shut out by a broken client, however often that asks, where a new token shares its limit', async () => {
    await start(failing(3, 50));
    const share = (token: string): number =>
      Number.parseInt(hash('sha256', accessTokenHash(token), 'hex').slice(0, 8), 16) % 256;
    const token = good();
    let broken = 'expired';
    while (share(broken) !== share(token.slice('Bearer '.length))) broken = randomUUID();
    await flooded(() => read(`Bearer ${broken}`));
    const [asked] = await Promise.all([
      Promise.all(Array.from({ length: 100 }, () => read(`Bearer ${broken}`))),
      read(token).then((status) => assert.equal(status, 200)),
    ]);
    assert.deepEqual([...new Set(asked)], [429]);
  });

  it('is not shut out by a client that sends the wrong secret for ever: the right one passes, of the same client too', async () => {
    await start(failing(3, 50));
    const broken = { client_id: 'orders', client_secret: 'old' };
    await flooded(() => tokenFor(broken));
    for (let time = 0; time < 100; time += 1) await tokenFor(broken);
    assert.equal(await tokenFor({ client_id: 'orders', client_secret: 'right' }), 200);
    assert.equal(await tokenFor({ client_id: 'billing', client_secret: 'right' }), 200);
  });

  it('is counted as one where every request makes up another token, and good tokens pass that were never seen', async () => {
    await start(failing(1_000, 30));
    let made = 0;
    const madeUp = (): Promise<number> => {
      made += 1;
      return read(`Bearer made-up-${made}`);
    };
    await flooded(madeUp);
    for (let time = 0; time < 100; time += 1) assert.equal(await madeUp(), 429);
    await eventually(async () => assert.equal(await read(good()), 200));
    assert.equal(await read(undefined), 429);
    assert.equal(await read('Bearer made-up', elsewhere), 401, 'the flood is of one place');
  });

  it('lets a client through that authenticated before, while strangers at it name that client with made-up secrets', async () => {
    await start(failing(1_000, 30));
    const orders = { client_id: 'orders', client_secret: 'right' };
    assert.equal(await tokenFor(orders), 200);
    let made = 0;
    const attack = async (): Promise<number> => {
      made += 1;
      return tokenFor({ client_id: 'orders', client_secret: `guess-${made}` });
    };
    // A few a second are looked at all the same.
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 60 }, attack));
      assert.ok(answers.includes(429));
    });
    for (let time = 0; time < 10; time += 1) {
      assert.equal(await tokenFor(orders), 200);
      await Promise.all(Array.from({ length: 60 }, attack));
    }
    assert.equal(await tokenFor({ client_id: 'orders', client_secret: 'wrong' }, elsewhere), 401);
  });

  it('lets a browser through that was signed in before, while strangers at it send forms under made-up visits', async () => {
    await start(failing(1_000, 30));
    assert.equal(await signIn('septet-visit-80=ada'), 200);
    let made = 0;
    const attack = async (): Promise<number> => {
      made += 1;
      return signIn(`septet-visit-80=made-up-${made}`);
    };
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 60 }, attack));
      assert.ok(answers.includes(429));
    });
    for (let time = 0; time < 10; time += 1) {
      assert.equal(await signIn('septet-visit-80=ada; septet-device-80=adas-device'), 200);
      await Promise.all(Array.from({ length: 60 }, attack));
    }
  });

  it('counts the requests of a client that authenticated before apart from those that only use its name', async () => {
    await start(smallGatewayPolicy(2, 'token-client', 'token-proven'));
    const orders = { client_id: 'orders', client_secret: 'right' };
    const stranger = { client_id: 'orders', client_secret: 'guess' };
    assert.equal(await tokenFor(orders), 200);
    await flooded(() => tokenFor(stranger));
    assert.deepEqual([await tokenFor(orders), await tokenFor(orders)], [200, 200]);
    assert.equal(await tokenFor(orders), 429, 'its own limit holds');
  });

  it('counts forms of sign-in by browser first, and of one that was signed in before apart', async () => {
    await start(smallGatewayPolicy(3, 'sign-in-browser', 'sign-in-proven'));
    const adas = 'septet-visit-80=ada; septet-device-80=adas-device';
    assert.equal(await signIn('septet-visit-80=ada'), 200);
    await flooded(() => signIn('septet-visit-80=stranger'));
    assert.equal(await signIn('septet-visit-80=another'), 401);
    assert.equal(await signIn(adas), 200);
  });
});
