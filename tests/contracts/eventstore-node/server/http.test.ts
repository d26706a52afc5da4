/** The embedded node over HTTP, on the port of the protocol, with TLS and without. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request as requestClear } from 'node:http';
import { request as requestSecure } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { certificatesIn } from '../../../support/servers/certificates';
import { type EventStoreNode, startNodeHere } from '../../../support/servers/event-store-node';
import { accountIn, basic } from '../protocol/harness/channel';

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

interface HttpRequest {
  readonly method?: string;
  readonly authorization?: string;
}

describe('embedded node over HTTP', () => {
  const home = temporaryDirectory('http');
  let clear: EventStoreNode;
  let secure: EventStoreNode;
  let certs: string;
  before(async () => {
    certs = await certificatesIn(join(home.path, 'certs'));
    clear = await startNodeHere(join(home.path, 'clear'));
    secure = await startNodeHere(join(home.path, 'secure'), certs);
  });
  after(async () => {
    await Promise.all([clear.stop(), secure.stop()]);
    home.remove();
  });

  const send = (
    node: EventStoreNode,
    path: string,
    { method = 'GET', authorization }: HttpRequest = {},
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = authorization === undefined ? {} : { authorization };
      const options = { host: 'localhost', port: node.port, path, method, headers, family: 4, agent: false as const };
      const tls = { ...options, ca: readFileSync(join(certs, 'ca.crt')) };
      const request = node === secure ? requestSecure(tls) : requestClear(options);
      request.once('error', reject);
      request.once('response', (response) => {
        let body = '';
        response.on('data', (text) => (body += String(text)));
        response.once('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
      });
      request.end();
    });

  it('is alive', async () => {
    for (const node of [clear, secure]) {
      assert.equal((await send(node, '/health/live')).status, 204);
      assert.equal((await send(node, '/health/live/?liveCode=200')).status, 200);
      assert.equal((await send(node, '/health/live', { method: 'HEAD' })).status, 204);
      assert.equal((await send(node, '/health/live?liveCode=500')).status, 204);
    }
  });

  it('answers a ping as EventStoreDB does, without credentials', async () => {
    for (const node of [clear, secure]) {
      const { status, headers, body } = await send(node, '/ping');
      assert.deepEqual([status, headers['content-type']], [200, 'application/json']);
      const { msgTypeId, text } = JSON.parse(body) as Record<string, unknown>;
      assert.deepEqual([typeof msgTypeId, text], ['number', 'Ping request successfully handled']);
      assert.equal((await send(node, '/ping', { method: 'POST' })).status, 405);
    }
  });

  it('says what it is', async () => {
    for (const [node, type] of [
      [clear, 'insecure'],
      [secure, 'internal'],
    ] as const) {
      const { body, headers } = await send(node, '/info');
      const { esVersion, state, features, authentication } = JSON.parse(body) as Record<string, unknown>;
      assert.match(String(esVersion), /^\d+\.\d+\.\d+$/);
      assert.deepEqual({ state, authentication }, { state: 'leader', authentication: { type, properties: {} } });
      assert.deepEqual(features, { projections: false, userManagement: false, atomPub: false });
      assert.equal(headers['content-type'], 'application/json');
    }
  });

  it('serves its metrics to operators', async () => {
    assert.equal(JSON.parse((await send(clear, '/stats')).body).proc.id, process.pid);
    assert.equal(JSON.parse((await send(clear, '/stats?group=false')).body)['proc-id'], process.pid);
    const { status, headers } = await send(secure, '/stats');
    assert.deepEqual([status, headers['www-authenticate']], [401, 'Basic realm="ESDB"']);
    const account = accountIn(secure.url);
    assert.equal((await send(secure, '/stats', { authorization: basic({ ...account, password: 'x' }) })).status, 401);
    const { body } = await send(secure, '/stats', { authorization: basic(account) });
    assert.equal(JSON.parse(body).proc.id, process.pid);
  });

  it('refuses other paths and methods', async () => {
    assert.equal((await send(clear, '/streams/a')).status, 404);
    assert.equal((await send(clear, '/')).status, 404);
    const { status, headers } = await send(clear, '/stats', { method: 'POST' });
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD']);
  });

  it('ends connections that speak neither language, and goes on', async () => {
    for (const node of [clear, secure]) {
      const socket = connect(node.port, '127.0.0.1');
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => undefined);
      socket.resume();
      socket.write(Buffer.from([0x00, 0xff, 0x00, 0x0d, 0x0a, 0x0d, 0x0a]));
      await closed;
      assert.equal((await send(node, '/health/live')).status, 204);
    }
  });
});
