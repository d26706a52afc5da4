import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { request as ask } from 'undici';
import type { BoundRoute } from '../../../../infra/server/http/routing/route';
import { tooManyRequests } from '../../../../infra/server/http/too-many-requests';
import { memoryStore } from '../../../../packages/ratelimit/src/store/memory-store';
import { jwksRoute, startGateway } from '../../../support/gateway/gateway';
import {
  echoRoute,
  jsonOf,
  startGatewayWithServices,
  type TestedGateway,
} from '../../../support/gateway/gateway-services';
import { smallGatewayPolicy } from '../../../support/gateway/small-limits';
import { startHttpService } from '../../../support/http/http-service';
import { assertRateLimited } from '../../../support/http/rate-limited';

describe('limits at the gateway, by what was asked for', () => {
  let gateway: Pick<TestedGateway, 'url' | 'token' | 'call' | 'port' | 'close'>;
  afterEach(() => gateway.close());

  const startPublic = async (route: BoundRoute, ...rules: readonly string[]): Promise<void> => {
    const service = await startHttpService([jwksRoute, route]);
    const ports = { commandsPort: service.port, readApiPort: service.port };
    const started = await startGateway({ ...ports, policy: smallGatewayPolicy(1, ...rules) });
    gateway = { ...started, close: async () => void (await Promise.all([started.close(), service.close()])) };
  };

  it('show people a page that says when to come back', async () => {
    await startPublic(echoRoute('get', '/sign-in', 'public'), 'page-place');
    assert.equal((await fetch(`${gateway.url}/sign-in?a=<script>`)).status, 200);
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const answer = await ask(`${gateway.url}/sign-in?a=<script>`, {
      headers: { accept, 'sec-fetch-mode': 'navigate' },
    });
    const [{ statusCode, headers }, text] = [answer, await answer.body.text()];
    assert.deepEqual([statusCode, headers['content-type']], [429, 'text/html; charset=utf-8']);
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    const seconds = Number(headers['retry-after']);
    assert.ok(seconds > 3_000 && seconds <= 3_600);
    assert.match(text, new RegExp(`Try again in ${Math.ceil(seconds / 60)} minutes\\.`));
    assert.ok(!text.includes('<script>'));
    const script = await fetch(`${gateway.url}/sign-in`, { headers: { accept: 'application/json' } });
    assert.deepEqual([script.status, (await jsonOf(script)).error], [429, 'rate_limited']);
  });

  it('show people, while they cannot be counted, a page with the cause, no wait that is made up, and a way back', async () => {
    const unavailable = { ...memoryStore(), decide: async () => undefined };
    const service = await startHttpService([jwksRoute, echoRoute('post', '/sign-in', 'public')]);
    const ports = { commandsPort: service.port, readApiPort: service.port };
    const policy = smallGatewayPolicy(1, 'sign-in-place');
    const started = await startGateway({ ...ports, policy, limitStore: unavailable });
    gateway = { ...started, close: async () => void (await Promise.all([started.close(), service.close()])) };
    const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate' };
    const answer = await ask(`${gateway.url}/sign-in`, { method: 'POST', headers });
    const text = await answer.body.text();
    assert.equal(answer.statusCode, 503);
    assert.match(text, /<h1>Not right now<\/h1>/);
    assert.match(text, /the store that counts it does not answer/);
    assert.match(text, /<a class="button" href="\/sign-in">/);
    assert.doesNotMatch(text, /second/);
  });

  it('answer an OAuth client in its form, with the headers of every other answer', async () => {
    await startPublic(echoRoute('post', '/oauth/token', 'public'), 'token-place');
    const requestId = 'of-the-caller';
    const headersOf = { 'content-type': 'application/json', 'x-request-id': requestId };
    const init = { method: 'POST', headers: headersOf, body: '{"text":"a"}' };
    assert.equal((await fetch(`${gateway.url}/oauth/token`, init)).status, 200);
    const answer = await fetch(`${gateway.url}/oauth/token`, init);
    const { headers } = answer;
    await assertRateLimited(answer, { limit: 1, isOAuth: true });
    assert.deepEqual([headers.get('cache-control'), headers.get('x-request-id')], ['no-store', requestId]);
  });

  it('refuse a stream before it begins', async () => {
    gateway = await startGatewayWithServices({ policy: smallGatewayPolicy(1, 'read-user') });
    await gateway.call('/v1/things');
    const answer = await gateway.call('/v1/stream', { headers: { accept: 'text/event-stream' } });
    assert.deepEqual([answer.status, (await jsonOf(answer)).error], [429, 'rate_limited']);
  });

  it('refuse a WebSocket before it is one', async () => {
    gateway = await startGatewayWithServices({ policy: smallGatewayPolicy(1, 'read-user') });
    await gateway.call('/v1/things');
    const upgrade = request({
      port: gateway.port,
      host: '127.0.0.1',
      path: '/v1/streams',
      headers: {
        authorization: `Bearer ${gateway.token()}`,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16).toString('base64'),
      },
    }).end();
    const [answer] = (await once(upgrade, 'response')) as [IncomingMessage];
    const { statusCode, headers } = answer;
    const text = Buffer.concat(await answer.toArray()).toString();
    assert.deepEqual([statusCode, headers['x-ratelimit-remaining']], [429, '0']);
    assert.equal((JSON.parse(text) as { error: string }).error, 'rate_limited');
    assert.ok(Number(headers['retry-after']) > 0);
  });

  it('count what other proxies ask about, for who sends it', async () => {
    const extAuthz = { prefix: '/ext-authz', peers: ['127.0.0.0/8'], audiences: ['orders'] };
    gateway = await startGatewayWithServices({ policy: smallGatewayPolicy(1, 'checked-user'), extAuthz });
    const check = (sub: string, path: string) => {
      const authorization = `Bearer ${gateway.token({ sub, aud: ['orders'] })}`;
      return fetch(`${gateway.url}/ext-authz${path}`, { headers: { authorization } });
    };
    const statuses = [await check('a', '/x'), await check('a', '/v1/y'), await check('b', '/x')].map(
      ({ status }) => status,
    );
    assert.deepEqual(statuses, [200, 429, 200]);
  });

  it('pass on the limit headers of an upstream’s refusal only', async () => {
    const over = { limit: 7, remaining: 0, resetSeconds: 40, retryAfterSeconds: 30 };
    const limited = {
      ...echoRoute('post', '/oauth/token', 'public'),
      handle: async () => tooManyRequests(over, 'Enough.'),
    };
    await startPublic(limited, 'token-place');
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"text":""}' };
    const behind = await fetch(`${gateway.url}/oauth/token`, init);
    const names = ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
    assert.deepEqual(
      names.map((name) => behind.headers.get(name)),
      ['30', '7', '0', '40'],
    );
    await gateway.close();
    const claims = { 'X-RateLimit-Limit': '99', 'RateLimit-Policy': '"mine";q=99' };
    const boasting = echoRoute('post', '/oauth/token', 'public');
    await startPublic({ ...boasting, handle: async () => ({ status: 200, body: {}, headers: claims }) }, 'token-place');
    const answer = await fetch(`${gateway.url}/oauth/token`, init);
    assert.deepEqual([answer.status, answer.headers.get('x-ratelimit-limit')], [200, '1']);
    assert.equal(answer.headers.get('ratelimit-policy'), '"requests";q=1;w=3600');
  });
});
