/** What a starting Elasticsearch is taken for, by what its health check answers. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readinessOf } from '../../../../infra/operate/launch/servers/elasticsearch/readiness';

const settled = {
  status: 'green',
  initializing_shards: 0,
  unassigned_shards: 0,
  number_of_pending_tasks: 0,
  number_of_in_flight_fetch: 0,
};

describe('a starting Elasticsearch', () => {
  let server: Server;
  let answer: { readonly status: number; readonly body: string };
  const messages: string[] = [];
  before(async () => {
    server = createServer((_, response) => response.writeHead(answer.status).end(answer.body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => server.close());
  beforeEach(() => {
    messages.length = 0;
  });

  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const probe = (settleMilliseconds: number) =>
    readinessOf({ url: url(), progress: (message) => void messages.push(message), settleMilliseconds });
  const health = (fields: object): void => {
    answer = { status: 200, body: JSON.stringify({ ...settled, ...fields }) };
  };

  it('serves once no index is red, replicas or not', async () => {
    for (const status of ['green', 'yellow']) {
      health({ status, unassigned_shards: 3 });
      assert.deepEqual(await probe(60_000)(), { ready: true });
    }
  });

  it('is slow, and no index of it damaged, where the answer is missing, late or no health', async () => {
    const probeReadiness = probe(0);
    for (const other of ['{}', '<html>', '{"error":{"type":"master_not_discovered_exception"}}']) {
      answer = { status: 503, body: other };
      assert.deepEqual(await probeReadiness(), { ready: false, waitsFor: 'it has not answered yet' });
    }
    const unreachable = readinessOf({ url: 'http://127.0.0.1:9', progress: (message) => void messages.push(message) });
    assert.equal((await unreachable()).ready, false);
    assert.deepEqual(messages, []);
  });

  it('is slow while shards recover, whatever time that takes', async () => {
    const probeReadiness = probe(0);
    for (const busy of [{ initializing_shards: 2 }, { number_of_pending_tasks: 1 }, { number_of_in_flight_fetch: 4 }]) {
      health({ status: 'red', unassigned_shards: 1, ...busy });
      const readiness = await probeReadiness();
      assert.ok(!readiness.ready && /^it recovers its indices, [13] shards are left$/.test(readiness.waitsFor));
    }
    assert.deepEqual(messages, []);
  });

  it('is given time to look for files, then served with damaged indices, and says so once', async () => {
    health({ status: 'red', unassigned_shards: 2 });
    const waiting = await probe(60_000)();
    assert.deepEqual(waiting, { ready: false, waitsFor: 'it looks for the files of its indices, 2 shards are left' });
    assert.deepEqual(await probe(0)(), { ready: true });
    assert.deepEqual(messages, ['some indices are damaged']);
  });
});
