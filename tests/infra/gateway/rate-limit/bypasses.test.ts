import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { jwksRoute, startGateway } from '../../../support/gateway/gateway';
import { echoRoute, postBody } from '../../../support/gateway/gateway-services';
import { smallGatewayPolicy } from '../../../support/gateway/small-limits';
import { startHttpService } from '../../../support/http/http-service';

const start = async (burst: number, rules: readonly string[], trustedProxies: readonly string[] = []) => {
  const service = await startHttpService([
    jwksRoute,
    echoRoute('post', '/oauth/token', 'public'),
    { ...echoRoute('post', '/v1/privacy/forget', { scopes: ['things:write'] }), danger: true },
    echoRoute('get', '/v1/things', { scopes: ['things:read'] }),
  ]);
  const ports = { commandsPort: service.port, readApiPort: service.port };
  const gateway = await startGateway({ ...ports, policy: smallGatewayPolicy(burst, ...rules), trustedProxies });
  return { ...gateway, close: async () => void (await Promise.all([gateway.close(), service.close()])) };
};

describe('ways around the limits of the gateway', () => {
  let gateway: Awaited<ReturnType<typeof start>>;
  afterEach(() => gateway.close());

  const token = async (headers: Record<string, string> = {}): Promise<number> => {
    const { headers: type, ...init } = postBody('x');
    return (await fetch(`${gateway.url}/oauth/token`, { ...init, headers: { ...(type as object), ...headers } }))
      .status;
  };
  const basic = (name: string, scheme = 'Basic') => ({
    authorization: `${scheme} ${Buffer.from(`${name}:secret`).toString('base64')}`,
  });
  const inTurn = async (all: readonly Record<string, string>[]): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (const headers of all) statuses.push(await token(headers));
    return statuses;
  };

  it('claiming to come from elsewhere', async () => {
    gateway = await start(2, ['token-place']);
    const claims = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-for'];
    const statuses = await inTurn(claims.map((name, index) => ({ [name]: `203.0.113.${index}` })));
    assert.deepEqual(statuses, [200, 200, 429, 429]);
  });

  it('claiming it to a proxy that is believed, which adds where it was asked from', async () => {
    gateway = await start(2, ['token-place'], ['127.0.0.0/8']);
    const via = (claimed: number, address: string) => ({ 'x-forwarded-for': `198.51.100.${claimed}, ${address}` });
    assert.deepEqual(await inTurn([1, 2, 3].map((claimed) => via(claimed, '203.0.113.9'))), [200, 200, 429]);
    assert.equal(await token(via(1, '203.0.113.10')), 200);
  });

  it('another address of the same /64 for each request', async () => {
    gateway = await start(2, ['token-place'], ['127.0.0.0/8']);
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const rotated = ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::9', '2001:db8:1:2:a:b:c:d', '2001:db8:1:2::'].map(from);
    assert.deepEqual(await inTurn(rotated), [200, 200, 429, 429]);
    assert.equal(await token(from('2001:db8:1:3::1')), 200);
  });

  it('another client name for each request', async () => {
    gateway = await start(3, ['token-place', 'token-client']);
    assert.deepEqual(await inTurn(['a', 'b', 'c', 'd', 'e'].map((name) => basic(name))), [200, 200, 200, 429, 429]);
  });

  it('one client, written otherwise each time', async () => {
    gateway = await start(2, ['token-client']);
    const written = [basic('acme.p-1'), basic('acme%2Ep-1', 'basic'), basic('ac%6De.p%2d1', 'BASIC')];
    assert.deepEqual(await inTurn(written), [200, 200, 429]);
  });

  it('one client, named in the form each time otherwise', async () => {
    gateway = await start(2, ['token-client']);
    const assertion = `e30.${Buffer.from('{"sub":"acme.p-1"}').toString('base64url')}.`;
    const forms = ['client_id=acme.p-1', `client_assertion=${assertion}`, 'client_id=acme%2ep-1&x=y', 'client_id=b'];
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const statuses: number[] = [];
    for (const body of forms)
      statuses.push((await fetch(`${gateway.url}/oauth/token`, { method: 'POST', headers: type, body })).status);
    assert.deepEqual(statuses, [415, 415, 429, 415]);
  });

  it('using up what another client has, from elsewhere', async () => {
    gateway = await start(2, ['token-client'], ['127.0.0.0/8']);
    const posing = { ...basic('acme.p-1'), 'x-forwarded-for': '203.0.113.66' };
    assert.deepEqual(await inTurn([posing, posing, posing]), [200, 200, 429]);
    assert.equal(await token({ ...basic('acme.p-1'), 'x-forwarded-for': '192.0.2.1' }), 200);
  });

  it('writing a path so that it is counted as something else', async () => {
    gateway = await start(2, ['danger-user', 'command-user']);
    const spellings = [
      '/v1/privacy/forget',
      '/v1/privacy/forget/',
      '/v1/privacy/forget?x=/v1/things',
      '/v1/privacy/forget;x',
      '/v1/privacy/%66orget',
      '/v1/Privacy/forget',
      '/v1//privacy/forget',
      '/v1/./privacy/forget',
      '/v1/x/../privacy/forget',
      '/v1/privacy%2fforget',
      '/v1/%70rivacy/forget/%2e',
    ];
    let served = 0;
    for (const path of [...spellings, ...spellings]) {
      const { status } = await gateway.call(path, postBody('x'));
      if (status === 200) served += 1;
    }
    // As many as there is room for: what is no route takes none of it, and is none.
    assert.equal(served, 2);
  });

  it('asking for the head only, or what may be asked', async () => {
    gateway = await start(2, ['read-user']);
    const statusOf = async (method: string): Promise<number> => (await gateway.call('/v1/things', { method })).status;
    assert.deepEqual(
      [await statusOf('HEAD'), await statusOf('GET'), await statusOf('GET'), await statusOf('HEAD')],
      [200, 200, 429, 429],
    );
    const preflightRequest = {
      method: 'OPTIONS',
      headers: { origin: 'https://x.test', 'access-control-request-method': 'GET' },
    };
    const preflight = await gateway.call('/v1/things', preflightRequest);
    assert.deepEqual([preflight.status, preflight.headers.get('x-ratelimit-limit')], [204, null]);
  });

  it('sending all at once on one connection', async () => {
    gateway = await start(2, ['read-user']);
    const socket = connect(gateway.port, '127.0.0.1');
    const one = (last: boolean) =>
      `GET /v1/things HTTP/1.1\r\nHost: septet.test\r\nAuthorization: Bearer ${gateway.token()}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
    socket.write(one(false).repeat(7) + one(true));
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString();
    });
    await once(socket, 'close');
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
    assert.deepEqual(statuses, ['200', '200', '429', '429', '429', '429', '429', '429']);
  });
});
