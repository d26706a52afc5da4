import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { jwksRoute, startGateway } from '../../../support/gateway/gateway';
import { echoRoute, jsonOf } from '../../../support/gateway/gateway-services';
import { startHttpService } from '../../../support/http/http-service';
import { deferred } from '../../../support/waiting/deferred';

describe('gateway before services that fail', () => {
  const servers: Server[] = [];
  const closing: (() => Promise<void>)[] = [];
  after(async () => {
    for (const close of closing.toReversed()) await close();
    for (const server of servers) server.closeAllConnections();
  });
  const badService = async (answer: (request: IncomingMessage, server: Server) => void): Promise<Server> => {
    const server: Server = createServer((request) => answer(request, server));
    servers.push(server);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => void server.close(() => resolve())));
    return server;
  };
  const portOf = (server: Server): number => (server.address() as AddressInfo).port;
  const between = async (readApiPort: number, upstream: object = {}) => {
    const commands = await startHttpService([jwksRoute]);
    const gateway = await startGateway({ commandsPort: commands.port, readApiPort, upstream });
    closing.push(commands.close, gateway.close);
    return gateway;
  };

  it('says which part is down, and recovers by itself', async () => {
    const first = await startHttpService([echoRoute('get', '/v1/things', { scopes: [] })]);
    const gateway = await between(first.port);
    assert.equal((await gateway.call('/v1/things')).status, 200);
    await first.close();
    const down = await gateway.call('/v1/things');
    assert.equal(down.status, 503);
    assert.equal(down.headers.get('retry-after'), '1');
    const { code, detail } = await jsonOf(down);
    assert.deepEqual([code, detail], ['service-unavailable', 'The query API is not running, or starting; try again.']);
    const again = await startHttpService([echoRoute('get', '/v1/things', { scopes: [] })], { port: first.port });
    closing.push(again.close);
    assert.equal((await gateway.call('/v1/things')).status, 200);
  });
  it('answers 504 when a service takes too long', async () => {
    const gateway = await between(portOf(await badService(() => undefined)), { headersMilliseconds: 200 });
    const response = await gateway.call('/v1/things');
    assert.deepEqual([response.status, (await jsonOf(response)).code], [504, 'timeout']);
  });
  it('answers 503 when a service breaks off before its answer', async () => {
    const gateway = await between(portOf(await badService((request) => request.socket.destroy())));
    const response = await gateway.call('/v1/things');
    assert.deepEqual([response.status, (await jsonOf(response)).code], [503, 'service-unavailable']);
  });
  it('logs no secret of a request that it could not pass on', async () => {
    const changed = echoRoute('post', '/v1/things/:thingId', { scopes: [] });
    const commands = await startHttpService([jwksRoute, changed, { ...changed, method: 'delete' }]);
    const breaking = await badService((request) => request.socket.destroy());
    const silent = await badService(() => undefined);
    const breaks = await startGateway({ commandsPort: commands.port, readApiPort: portOf(breaking) });
    const upstream = { headersMilliseconds: 200 };
    const times = await startGateway({ commandsPort: commands.port, readApiPort: portOf(silent), upstream });
    closing.push(breaks.close, times.close);
    const secrets: string[] = [];
    const secret = (): string => {
      secrets.push(`sentinel${randomBytes(12).toString('hex')}`);
      return secrets.at(-1) as string;
    };
    const token = breaks.token();
    secrets.push(token, ...token.split('.').slice(1));
    const send = async (gateway: typeof breaks, method: string): Promise<number> => {
      const headers = {
        authorization: `Bearer ${token}`,
        cookie: `session=${secret()}`,
        'content-type': 'application/json',
        'idempotency-key': secret(),
        'x-api-key': secret(),
      };
      const body = method === 'GET' ? {} : { body: JSON.stringify({ password: secret(), [secret()]: 1 }) };
      const target = `/v1/things/${secret()}?access_token=${secret()}&cursor=${secret()}`;
      return (await gateway.call(target, { method, headers, ...body })).status;
    };
    assert.deepEqual([await send(breaks, 'GET'), await send(times, 'GET')], [503, 504]);
    await commands.close();
    assert.deepEqual([await send(breaks, 'POST'), await send(breaks, 'DELETE')], [503, 503]);
    const lines = [...breaks.log.lines, ...times.log.lines];
    const failed = lines.filter(({ message }) => message === 'request could not be forwarded');
    assert.equal(failed.length, 4);
    // Before anything is removed from a line by its name or its shape.
    const text = JSON.stringify(lines);
    assert.deepEqual(
      secrets.filter((one) => text.includes(one)),
      [],
    );
  });
  it('does not make half an answer look whole', async () => {
    const half = await badService((request) => {
      request.socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n');
    });
    const gateway = await between(portOf(half));
    const response = await gateway.call('/v1/things');
    await assert.rejects(response.text());
  });
  it('ends the request behind when the client goes away', async () => {
    const gone = deferred();
    const arrived = deferred();
    const slow = await badService((request) => {
      request.socket.once('close', gone.resolve);
      arrived.resolve();
    });
    const gateway = await between(portOf(slow));
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(`GET /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.token()}\r\n\r\n`);
    await arrived.promise;
    socket.destroy();
    await gone.promise;
  });
});
