import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type BoundRoute, bind, route, type ServerSentEvent } from '../../../../infra/server/http/routing/route';
import { frame } from '../../../../infra/server/http/streaming/sse';
import { signedHeader, startHttpService } from '../../../support/http/http-service';
import { deferred } from '../../../support/waiting/deferred';

const streaming = (source: (signal: AbortSignal) => AsyncIterable<ServerSentEvent>): readonly BoundRoute[] => [
  bind(
    {},
    route<object>()({
      method: 'get',
      path: '/stream',
      operation: 'follow',
      summary: 'A stream.',
      access: { scopes: [] },
      answers: { 200: { description: 'Events.', contentType: 'text/event-stream' } },
      handle: async (_deps, { signal }) => ({ stream: source(signal) }),
    }),
  ),
];

const untilIncludes = async (body: ReadableStream<Uint8Array>, wanted: string): Promise<string> => {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let seen = '';
  while (!seen.includes(wanted)) {
    const { done, value } = await reader.read();
    if (done) return seen;
    seen += value;
  }
  reader.releaseLock();
  return seen;
};

describe('server-sent events', () => {
  it('frames ids, names and every line of data', () => {
    assert.equal(frame({ id: '7', event: 'thing', data: '{}' }), 'id: 7\nevent: thing\ndata: {}\n\n');
    assert.equal(frame({ data: 'a\r\nb\rc' }), 'data: a\ndata: b\ndata: c\n\n');
    assert.equal(frame({ id: '7\ndata: forged', data: '' }), 'id: 7data: forged\ndata: \n\n');
  });

  it('sends retry, events, heartbeats, and ends when the source does', async () => {
    const finish = deferred();
    const service = await startHttpService(
      streaming(async function* () {
        yield { id: '1', data: 'one' };
        await finish.promise;
        yield { id: '2', data: 'two' };
      }),
    );
    const response = await service.call('/stream');
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.ok(response.body);
    const seen = await untilIncludes(response.body, ': heartbeat');
    assert.ok(seen.startsWith('retry: 2000\n\nid: 1\ndata: one\n\n'));
    finish.resolve();
    await service.close();
  });

  it('asks the source only as fast as the client reads', async () => {
    let produced = 0;
    const ended = deferred();
    const service = await startHttpService(
      streaming(async function* () {
        try {
          for (;;) {
            produced += 1;
            yield { data: 'x'.repeat(65_536) };
          }
        } finally {
          ended.resolve();
        }
      }),
    );
    const socket = connect(service.port, '127.0.0.1');
    socket.write(`GET /stream HTTP/1.1\r\nHost: x\r\nSeptet-Identity: ${signedHeader('GET', '/stream')}\r\n\r\n`);
    await once(socket, 'readable');
    // The source is not read further once the socket's buffers are full: wait until it stands still.
    let before = -1;
    while (before !== produced) {
      before = produced;
      for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(produced < 400, `${produced} events were taken for a client that reads none`);
    socket.destroy();
    await ended.promise;
    await service.close();
  });

  it('ends the source when the client goes away, also while it waits', async () => {
    const ended = deferred();
    const service = await startHttpService(
      streaming(async function* (signal) {
        yield { data: 'one' };
        await once(signal, 'abort');
        ended.resolve();
      }),
    );
    const client = new AbortController();
    const response = await service.call('/stream', { signal: client.signal });
    assert.ok(response.body);
    await untilIncludes(response.body, 'one');
    client.abort();
    await ended.promise;
    await service.close();
  });

  it('ends streams when the service drains, even when the source never answers', async () => {
    const service = await startHttpService(
      streaming(async function* () {
        yield { data: 'one' };
        await new Promise(() => undefined);
      }),
    );
    const response = await service.call('/stream');
    const whole = response.text();
    service.drain();
    assert.match(await whole, /^retry: /);
    await service.close();
  });

  it('ends the stream and logs when the source fails', async () => {
    const service = await startHttpService(
      streaming(async function* () {
        yield { data: 'one' };
        throw new Error('the log went away');
      }),
    );
    const response = await service.call('/stream');
    await response.text();
    await service.close();
    assert.deepEqual(
      service.log.lines.map(({ message }) => message),
      ['defect in a route'],
    );
  });

  it('answers HEAD without asking the source', async () => {
    const service = await startHttpService(
      streaming(() => ({ [Symbol.asyncIterator]: () => assert.fail('The source was asked.') })),
    );
    const response = await service.call('/stream', { method: 'HEAD' });
    assert.deepEqual([response.status, await response.text()], [200, '']);
    await service.close();
  });
});
