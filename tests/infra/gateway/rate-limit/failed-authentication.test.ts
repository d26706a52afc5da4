/** Floods of requests that fail before their caller is authenticated. */
import assert from 'node:assert/strict';
import { jwksRoute, startGateway } from '../../../support/gateway/gateway';
import {
  echoRoute,
  postBody,
  startGatewayWithServices,
  type TestedGateway,
} from '../../../support/gateway/gateway-services';
import { smallGatewayPolicy } from '../../../support/gateway/small-limits';
import { startHttpService } from '../../../support/http/http-service';
import { assertRateLimited } from '../../../support/http/rate-limited';
import { refusedSocket } from '../../../support/http/socket-client';
import { eventually } from '../../../support/waiting/eventually';

describe('what fails before its caller is authenticated', () => {
  let gateway: TestedGateway;
  afterEach(() => gateway.close());

  const begin = async (burst: number): Promise<void> => {
    gateway = await startGatewayWithServices({
      policy: smallGatewayPolicy(burst, 'refused-place'),
      trustedProxies: ['127.0.0.0/8'],
    });
  };
  const send = (path: string, address: string, authorization?: string): Promise<Response> =>
    fetch(`${gateway.url}${path}`, {
      headers: { 'x-forwarded-for': address, ...(authorization === undefined ? {} : { authorization }) },
    });
  const status = async (...args: Parameters<typeof send>): Promise<number> => (await send(...args)).status;
  /** It is counted once it was answered. */
  const flooded = (path: string, address: string, authorization?: string): Promise<void> =>
    eventually(async () => assert.equal(await status(path, address, authorization), 429));
  const deniedOnes = async (): Promise<number> => {
    const decided =
      /^gateway_ratelimit_decisions_total\{outcome="deny",reason="limited",[^}]*group="refused"[^}]*\} (\d+)$/m;
    return Number(decided.exec(await gateway.metrics.text())?.[1] ?? 0);
  };

  it('is answered as ever, and from some number on with 429, whatever it asks for', async () => {
    await begin(3);
    assert.equal(await status('/v1/things', '203.0.113.9', 'Bearer x'), 401);
    assert.equal(await status('/v1/things', '203.0.113.9'), 401);
    assert.equal(await status('/nothing', '203.0.113.9'), 404);
    await flooded('/nothing', '203.0.113.9');
    const refused = await send('/v1/things', '203.0.113.9', 'Bearer x');
    await assertRateLimited(refused, { limit: 3 });
    assert.ok(Number(refused.headers.get('retry-after')) <= 3_600);
    assert.equal(refused.headers.get('x-ratelimit-remaining'), '0');
    // Refused requests are not counted: a caller that goes on does not postpone the end of its refusal.
    assert.equal(await deniedOnes(), 1);
  });

  it('never refuses discovery or keys, whatever else comes from the address', async () => {
    await begin(1);
    await flooded('/nothing', '203.0.113.9');
    assert.equal(await status('/oauth/jwks', '203.0.113.9'), 200);
    assert.notEqual(await status('/.well-known/openid-configuration', '203.0.113.9'), 429);
    assert.equal(await status('/oauth/jwks/x', '203.0.113.9'), 429);
  });

  it('counts by place: of one /64 together, and of another not at all', async () => {
    await begin(2);
    await flooded('/nothing', '2001:db8:1:2::1');
    assert.equal(await status('/nothing', '2001:db8:1:2:ffff::9'), 429);
    assert.equal(await status('/nothing', '2001:db8:1:3::1'), 404);
  });

  it('admits callers with a valid token from the same address, until they fail, too', async () => {
    await begin(2);
    const good = `Bearer ${gateway.token()}`;
    assert.equal(await status('/v1/things', '203.0.113.9', good), 200);
    await flooded('/v1/things', '203.0.113.9', 'Bearer x');
    assert.equal(await status('/v1/things', '203.0.113.9', good), 200);
    assert.equal(await status('/nothing', '203.0.113.9', good), 429);
    // A good token that this gateway has not seen before is verified, at a bounded rate.
    assert.equal(await status('/v1/things', '203.0.113.9', `Bearer ${gateway.token({ jti: 'new' })}`), 200);
    assert.equal(await status('/v1/things', '203.0.113.9'), 429);
  });

  it('charges neither successful requests nor failing ones of authenticated callers', async () => {
    await begin(1);
    const good = `Bearer ${gateway.token()}`;
    for (let time = 0; time < 4; time += 1) {
      assert.equal(await status('/v1/things', '203.0.113.9', good), 200);
      assert.equal(await status('/v1/things/none', '203.0.113.9', good), 404);
    }
    assert.equal(await status('/openapi.json', '203.0.113.9'), 200);
    assert.equal(await status('/v1/things', '203.0.113.9'), 401);
    await flooded('/v1/things', '203.0.113.9');
    // What lies ready costs less than it would to refuse it.
    assert.equal(await status('/openapi.json', '203.0.113.9'), 200);
  });

  it('counts what strangers try in vain besides what that costs anyway', async () => {
    const tried = { ...echoRoute('post', '/oauth/token', 'public'), handle: async () => ({ status: 401, body: {} }) };
    const service = await startHttpService([jwksRoute, tried]);
    const ports = { commandsPort: service.port, readApiPort: service.port };
    const started = await startGateway({ ...ports, policy: smallGatewayPolicy(3, 'token-place', 'refused-place') });
    const { close } = started;
    gateway = { ...started, close: async () => void (await Promise.all([close(), service.close()])) };
    const guess = async (): Promise<number> => (await fetch(`${gateway.url}/oauth/token`, postBody('x'))).status;
    assert.deepEqual([await guess(), await guess()], [401, 401]);
    assert.equal(await status('/nothing', ''), 404);
    await flooded('/nothing', '');
    assert.equal(await guess(), 429);
  });

  it('is counted and refused where a WebSocket was asked for, too', async () => {
    await begin(2);
    const open = () => refusedSocket(`${gateway.url}/v1/nothing`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    assert.equal((await open())[0], 401);
    await eventually(async () => assert.equal((await open())[0], 429));
    assert.equal(await status('/nothing', '203.0.113.9'), 429);
  });
});
