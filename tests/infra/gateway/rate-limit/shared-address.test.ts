/** One address that many share: what a stranger or a broken client at it can do to the others. */
import assert from 'node:assert/strict';
import { hash, randomUUID } from 'node:crypto';
import * as t from 'io-ts';
import type { RefusedRequest } from '../../../../infra/ports/identity/refused-requests';
import type { Refusal } from '../../../../infra/ports/rate-limit-reports';
import { accountCookies } from '../../../../infra/server/http/identity/account-cookies';
import type { BoundRoute } from '../../../../infra/server/http/routing/route';
import type { Policy } from '../../../../packages/ratelimit/src/policy/policy';
import { accessTokenHash } from '../../../../packages/resource-server/src/dpop/verify-proof';
import { jwksRoute, startGateway } from '../../../support/gateway/gateway';
import type { TestGateway } from '../../../support/gateway/gateway-options';
import { echoRoute, type TestedGateway } from '../../../support/gateway/gateway-services';
import { gatewayPolicyOf, slowBucket, smallGatewayPolicy } from '../../../support/gateway/small-limits';
import { startHttpService } from '../../../support/http/http-service';
import { eventually } from '../../../support/waiting/eventually';

const office = '203.0.113.9';
const elsewhere = '198.51.100.7';
const plain = { operation: 'test', summary: 'A test route.', answers: { 200: { description: 'Done.' } } } as const;

/** As the command API does: the right secret is answered with 200, any other with 401 and a note where the client exists. */
const tokenEndpoint: BoundRoute = {
  ...plain,
  method: 'post',
  path: '/oauth/token',
  access: 'public',
  bodyType: 'form',
  body: t.UnknownRecord,
  handle: async ({ body }) => {
    const { client_secret: secret, client_id: clientId = '' } = body as { client_secret?: string; client_id?: string };
    if (secret === 'right') return { status: 200, body: {} };
    const refused = clientId.endsWith('-exists') ? { refused: { clientId, reason: 'Wrong.' } } : {};
    return { status: 401, body: {}, ...refused };
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

  const start = async (policy: Policy, reporting: Partial<TestGateway> = {}): Promise<void> => {
    const things = echoRoute('get', '/v1/things', { scopes: ['things:read'] });
    const service = await startHttpService([jwksRoute, tokenEndpoint, signInPage, showSignIn, things]);
    const ports = { commandsPort: service.port, readApiPort: service.port };
    const cookies = accountCookies('http://septet.test');
    const started = await startGateway({
      ...ports,
      policy,
      accountCookies: cookies,
      trustedProxies: ['127.0.0.0/8'],
      ...reporting,
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

  describe('names in reports of refusals', () => {
    const refusals: Refusal[] = [];
    const requests: RefusedRequest[] = [];
    const begin = async (): Promise<void> => {
      refusals.length = 0;
      requests.length = 0;
      await start(smallGatewayPolicy(2, 'token-client', 'token-proven'), {
        recordRefusal: (refusal) => void refusals.push(refusal),
        recordRefused: (refused) => void requests.push(refused),
      });
    };
    const limited = async (form: Record<string, string>) => {
      await flooded(() => tokenFor(form));
      let request: RefusedRequest | undefined;
      await eventually(async () => {
        request = requests.findLast(({ status }) => status === 429);
        assert.ok(request !== undefined);
      });
      const namesOf = (refused: Pick<Refusal, 'tenantId' | 'principalId' | 'clientId'> | undefined) => [
        refused?.tenantId,
        refused?.principalId,
        refused?.clientId,
      ];
      return { byLimit: namesOf(refusals.at(-1)), request: [...namesOf(request), request?.isProven] };
    };

    it('a client whose secret was accepted before, in its tenant’s lists', async () => {
      await begin();
      const { byLimit, request } = await limited({ client_id: 'main.orders', client_secret: 'right' });
      assert.deepEqual(byLimit, ['main', 'orders', 'main.orders']);
      assert.deepEqual(request, ['main', 'orders', 'main.orders', true]);
    });

    it('a client that exists and whose secret is wrong, as named only and outside of its tenant’s list of limits', async () => {
      await begin();
      const { byLimit, request } = await limited({ client_id: 'main~shop-exists', client_secret: 'guess' });
      assert.deepEqual(byLimit, [null, null, 'main~shop-exists']);
      assert.deepEqual(request, ['main', null, 'main~shop-exists', false]);
    });

    it('no client that only the request names', async () => {
      await begin();
      const { byLimit, request } = await limited({ client_id: 'main.made-up', client_secret: 'guess' });
      assert.deepEqual(byLimit, [null, null, null]);
      assert.deepEqual(request, [null, null, null, false]);
    });
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
