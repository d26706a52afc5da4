/** Browser applications of other origins at the endpoints of OAuth. */
import assert from 'node:assert/strict';
import { readableByHeader } from '../../../../infra/server/http/routing/cross-origin';
import type { BoundRoute } from '../../../../infra/server/http/routing/route';
import { startGateway } from '../../../support/gateway/gateway';
import { echoRoute, type TestedGateway } from '../../../support/gateway/gateway-services';
import { smallGatewayPolicy } from '../../../support/gateway/small-limits';
import { startHttpService } from '../../../support/http/http-service';

const app = 'https://app.example';
const paths = ['/oauth/token', '/oauth/revoke', '/oauth/userinfo', '/oauth/par'];
const documents = ['/oauth/jwks', '/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];

/** As a service that knows which origins a client has, and as a hostile one for all other paths. */
const allowsOrigin = (method: 'get' | 'post', path: string): BoundRoute => ({
  ...echoRoute(method, path, 'public'),
  body: undefined as never,
  handle: async () => ({
    status: 200,
    body: {},
    headers: { Vary: 'Origin', [readableByHeader]: app, 'Access-Control-Allow-Origin': '*' },
  }),
});

describe('gateway, asked by pages of other origins', () => {
  let gateway: TestedGateway;
  let close: () => Promise<void>;
  before(async () => {
    const routes = [
      ...paths.map((path) => allowsOrigin('post', path)),
      ...documents.map((path) => allowsOrigin('get', path)),
      allowsOrigin('post', '/oauth/introspect'),
      allowsOrigin('post', '/v1/bootstrap'),
    ];
    const commands = await startHttpService(routes);
    const readApi = await startHttpService([]);
    gateway = await startGateway({ commandsPort: commands.port, readApiPort: readApi.port });
    close = async () => {
      await gateway.close();
      await commands.close();
      await readApi.close();
    };
  });
  after(() => close());

  const send = async (path: string, method: string, origin: string) => {
    const { headers, status } = await fetch(`${gateway.url}${path}`, { method, headers: { origin } });
    assert.equal(headers.get('access-control-allow-credentials'), null);
    assert.equal(headers.get(readableByHeader), null, 'what services say to the gateway goes no further');
    return { status, allowed: headers.get('access-control-allow-origin'), vary: headers.get('vary') };
  };

  it('lets every origin read discovery and signing keys', async () => {
    for (const path of documents) {
      const { status, allowed } = await send(path, 'GET', 'https://anywhere.example');
      assert.deepEqual([path, status, allowed], [path, 200, '*']);
    }
  });

  it('lets an origin read that the service says is registered, and no other', async () => {
    for (const path of paths) {
      assert.deepEqual(await send(path, 'POST', app), { status: 200, allowed: app, vary: 'Origin' });
      assert.deepEqual(await send(path, 'POST', 'https://evil.example'), {
        status: 200,
        allowed: null,
        vary: 'Origin',
      });
    }
  });

  it('a service that names an origin elsewhere is not believed', async () => {
    for (const path of ['/oauth/introspect', '/v1/bootstrap', '/oauth/token/', '/oauth//token'])
      assert.equal((await send(path, 'POST', app)).allowed, null, path);
  });

  it('lets pages of every origin read why the gateway itself refuses, at those endpoints only', async () => {
    const policy = smallGatewayPolicy(1, 'token-client');
    const away = await startGateway({ commandsPort: 1, readApiPort: 1, policy });
    const refusedAt = async (path: string) => {
      const body = new URLSearchParams({ client_id: 'orders' });
      const { status, headers } = await fetch(`${away.url}${path}`, { method: 'POST', headers: { origin: app }, body });
      return [status, headers.get('access-control-allow-origin')];
    };
    assert.deepEqual(await refusedAt('/oauth/token'), [503, '*']);
    assert.deepEqual(await refusedAt('/oauth/token'), [429, '*']);
    assert.deepEqual(await refusedAt('/oauth/introspect'), [503, null]);
    await away.close();
  });

  it('answers preflights of those endpoints for every origin, and of no others', async () => {
    const preflight = async (path: string) => {
      const headers = { origin: 'https://anywhere.example', 'access-control-request-method': 'POST' };
      const answer = await fetch(`${gateway.url}${path}`, { method: 'OPTIONS', headers });
      assert.deepEqual([answer.status, answer.headers.get('access-control-allow-credentials')], [204, null]);
      return [answer.headers.get('access-control-allow-origin'), answer.headers.get('access-control-allow-headers')];
    };
    for (const path of [...paths, ...documents]) {
      const [origin, headers] = await preflight(path);
      assert.deepEqual([path, origin], [path, '*']);
      assert.match(headers ?? '', /Authorization, Content-Type, DPoP/);
    }
    for (const path of ['/oauth/introspect', '/v1/principals', '/console/session', '/oauth/authorize', '/sign-in'])
      assert.deepEqual(await preflight(path), [null, null], path);
  });
});
