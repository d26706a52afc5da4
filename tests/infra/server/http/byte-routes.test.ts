/** Routes whose body or answer is bytes: types and sizes, ranges and conditions, backpressure, and what ends when one side leaves. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { right } from 'fp-ts/Either';
import { identityHeader } from '../../../../infra/server/http/identity/identity-header';
import { openApi } from '../../../../infra/server/http/openapi';
import { type BoundRoute, bind, byteRoute, route } from '../../../../infra/server/http/routing/route';
import type { Span } from '../../../../infra/server/http/streaming/byte-range';
import { signedHeader, startHttpService } from '../../../support/http/http-service';
import { eventually } from '../../../support/waiting/eventually';

const maxBytes = 100_000;
const content = Buffer.from(Array.from({ length: 300 }, (_, index) => index % 256));
const etag = '"v1"';
const scopes = { scopes: ['things:read'] };

/** What the handlers saw. */
const createProbe = () => ({ opened: [] as Span[], sent: 0, read: 0, isSourceClosed: false, isAborted: false });
type Probe = ReturnType<typeof createProbe>;

const chunk = Buffer.alloc(65_536);

/** Bytes without an end; the probe counts the bytes that were read. */
async function* endless(probe: Probe): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      probe.sent += chunk.length;
      yield chunk;
      await new Promise(setImmediate);
    }
  } finally {
    probe.isSourceClosed = true;
  }
}

/** Resolves once the number is the same twice. */
const standsStill = async (count: () => number): Promise<void> => {
  let before = -1;
  await eventually(async () => {
    const now = count();
    const isStill = now === before && now > 0;
    before = now;
    assert.ok(isStill);
  });
};

const routesOf = (probe: Probe): readonly BoundRoute[] => {
  const get = (path: string, one: Pick<Parameters<ReturnType<typeof route<object>>>[0], 'handle' | 'answers'>) =>
    bind({}, route<object>()({ method: 'get', path, operation: path, summary: 'Reads.', access: scopes, ...one }));
  const post = (path: string, one: Pick<Parameters<ReturnType<typeof byteRoute<object>>>[0], 'handle'>) =>
    bind(
      {},
      byteRoute<object>()({
        method: 'post',
        path,
        operation: path,
        summary: 'Writes.',
        access: scopes,
        bytes: { mediaTypes: ['application/gzip', 'video/*'], codings: ['br'], maxBytes },
        answers: { 200: { description: 'Done.', bytes: ['application/octet-stream'] } },
        ...one,
      }),
    );
  const bytes = ['video/mp4'];
  return [
    get('/ranged', {
      answers: { 200: { description: 'A video.', bytes, ranges: true } },
      handle: async () => ({
        contentType: 'video/mp4',
        etag,
        size: content.length,
        openRange: async ({ first, length }) => {
          probe.opened.push({ first, length });
          return right(Readable.from([content.subarray(first, first + length)]));
        },
      }),
    }),
    get('/endless', {
      answers: { 200: { description: 'Bytes.', bytes } },
      handle: async (_deps, { signal }) => {
        signal.addEventListener('abort', () => {
          probe.isAborted = true;
        });
        return { contentType: 'video/mp4', open: async () => right(endless(probe)) };
      },
    }),
    ...[-1, 1].map((difference) =>
      get(difference < 0 ? '/short' : '/long', {
        answers: { 200: { description: 'Bytes.', bytes } },
        handle: async () => ({
          contentType: 'video/mp4',
          length: content.length - difference,
          open: async () => right(Readable.from([content])),
        }),
      }),
    ),
    get('/failing', {
      answers: { 200: { description: 'Bytes.', bytes } },
      handle: async () => ({
        contentType: 'video/mp4',
        open: async () =>
          right(
            (async function* () {
              yield content;
              throw new Error('hunter2');
            })(),
          ),
      }),
    }),
    post('/count', {
      handle: async (_deps, { body }) => {
        for await (const part of body.stream as AsyncIterable<Buffer>) probe.read += part.length;
        return { status: 200, body: { bytes: probe.read, length: body.length ?? null } };
      },
    }),
    post('/unread', {
      handle: async (_deps, { body }) => {
        await once(body.stream, 'readable');
        return { status: 409, body: {} };
      },
    }),
    post('/wrapped', {
      handle: async (_deps, { body }) => {
        try {
          await pipeline(body.stream, async (parts) => {
            for await (const part of parts as AsyncIterable<Buffer>) probe.read += part.length;
          });
        } catch {
          throw new Error('the store failed');
        }
        return { status: 200 };
      },
    }),
    post('/waiting', { handle: () => new Promise(() => undefined) }),
    post('/echo', {
      handle: async (_deps, { body }) => ({
        contentType: 'application/octet-stream',
        open: async () => right(body.stream),
      }),
    }),
  ];
};

describe('routes of bytes', () => {
  let probe: Probe;
  let service: Awaited<ReturnType<typeof startHttpService>>;
  beforeEach(async () => {
    probe = createProbe();
    service = await startHttpService(routesOf(probe), { requestMilliseconds: 100, graceMilliseconds: 100 });
  });
  afterEach(() => service.close());

  const open = (method: string, path: string, headers: Record<string, string | number> = {}): ClientRequest => {
    const all = { [identityHeader]: signedHeader(method, path), ...headers };
    return request({ port: service.port, host: '127.0.0.1', method, path, headers: all }).on('error', () => undefined);
  };
  const answered = async (sent: ClientRequest): Promise<IncomingMessage> => {
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  };
  const codeOf = async (answer: IncomingMessage): Promise<readonly [number | undefined, string]> => {
    const text = Buffer.concat(await answer.toArray()).toString();
    return [answer.statusCode, (JSON.parse(text) as { code: string }).code];
  };
  const post = (path: string, headers: Record<string, string | number> = {}): ClientRequest =>
    open('POST', path, { 'content-type': 'application/gzip', ...headers });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await service.call(path, { headers });
    return { response, body: Buffer.from(await response.arrayBuffer()) };
  };

  describe('a body', () => {
    it('is read as it arrives, with its length or in chunks', async () => {
      for (const [headers, length] of [
        [{ 'content-length': 6 }, 6],
        [{}, null],
      ] as const) {
        probe.read = 0;
        const sent = post('/count', headers);
        sent.write('abc');
        await eventually(async () => assert.equal(probe.read, 3));
        sent.end('def');
        const answer = await answered(sent);
        assert.deepEqual(JSON.parse(String(Buffer.concat(await answer.toArray()))), { bytes: 6, length });
      }
    });

    it('takes longer than other requests may', async () => {
      const sent = post('/count', { 'content-length': 2 });
      sent.write('a');
      await eventually(async () => assert.equal(probe.read, 1));
      await new Promise((resolve) => void setTimeout(resolve, 300));
      sent.end('b');
      assert.equal((await answered(sent)).statusCode, 200);
    });

    it('is of the declared types and codings, unless it is empty', async () => {
      const expected = [
        [{ 'content-type': 'application/gzip; x=1' }, 200],
        [{ 'content-type': 'VIDEO/mp4' }, 200],
        [{ 'content-encoding': 'br' }, 200],
        [{ 'content-type': 'text/html' }, 415],
        [{ 'content-type': 'videos/mp4' }, 415],
        [{ 'content-type': '' }, 415],
        [{ 'content-encoding': 'gzip' }, 415],
      ] as const;
      for (const [headers, status] of expected) {
        const sent = post('/count', headers);
        sent.end('abc');
        const answer = await answered(sent);
        answer.resume();
        assert.equal(answer.statusCode, status, JSON.stringify(headers));
      }
      const empty = open('POST', '/count', { 'content-length': 0 });
      empty.end();
      assert.equal((await answered(empty)).statusCode, 200);
    });

    it('of more bytes than declared is refused, announced or not, whatever the handler throws', async () => {
      const announced = post('/count', { 'content-length': maxBytes + 1 });
      announced.flushHeaders();
      const refused = await answered(announced);
      assert.equal(refused.headers.connection, 'close');
      assert.deepEqual(await codeOf(refused), [413, 'body-too-large']);
      announced.destroy();
      for (const path of ['/count', '/wrapped']) {
        const sent = post(path);
        sent.end(Buffer.alloc(maxBytes + 1));
        assert.deepEqual(await codeOf(await answered(sent)), [413, 'body-too-large'], path);
      }
      probe.read = 0;
      const whole = post('/count');
      whole.end(Buffer.alloc(maxBytes));
      assert.equal((await answered(whole)).statusCode, 200);
    });

    it('need not be read to its end, and the connection then ends', async () => {
      const sent = post('/unread', { 'content-length': 50_000 });
      sent.write(Buffer.alloc(10_000));
      const answer = await answered(sent);
      assert.deepEqual([answer.statusCode, answer.headers.connection], [409, 'close']);
      sent.end(Buffer.alloc(40_000));
      await answer.resume().toArray();
    });

    it('is not taken faster than the handler reads it', async () => {
      const sent = open('POST', '/waiting', { 'content-type': 'video/mp4' });
      let taken = 0;
      const write = (): void => {
        do taken += chunk.length;
        while (sent.write(chunk));
      };
      sent.on('drain', write);
      write();
      await standsStill(() => taken);
      // The sockets of both sides hold some.
      assert.ok(taken < 500 * chunk.length, `${taken}`);
      sent.destroy();
    });

    it('that breaks off fails the handler, and is no defect', async () => {
      const sent = post('/count', { 'content-length': 6 });
      sent.write('abc');
      await eventually(async () => assert.equal(probe.read, 3));
      sent.destroy();
      await new Promise(setImmediate);
      await service.call('/ranged');
      assert.deepEqual(service.log.lines, []);
    });
  });

  describe('an answer', () => {
    it('is whole, or the range that was asked for', async () => {
      const { response, body } = await get('/ranged');
      assert.deepEqual([response.status, body], [200, content]);
      assert.deepEqual(
        ['content-type', 'content-length', 'etag', 'accept-ranges', 'cache-control'].map((name) =>
          response.headers.get(name),
        ),
        ['video/mp4', '300', etag, 'bytes', 'private, no-cache'],
      );
      await fc.assert(
        fc.asyncProperty(fc.nat(299), fc.nat(400), async (first, more) => {
          const part = await get('/ranged', { range: `bytes=${first}-${first + more}` });
          assert.equal(part.response.status, 206);
          assert.deepEqual(part.body, content.subarray(first, first + more + 1));
          const last = Math.min(299, first + more);
          assert.equal(part.response.headers.get('content-range'), `bytes ${first}-${last}/300`);
          assert.equal(part.response.headers.get('content-length'), String(last - first + 1));
        }),
        { numRuns: 30 },
      );
      assert.deepEqual((await get('/ranged', { range: 'bytes=-5' })).body, content.subarray(-5));
      assert.equal((await get('/ranged', { range: 'lines=1-2' })).response.status, 200);
    });

    it('has one range only, with bytes in it', async () => {
      for (const range of ['bytes=300-', 'bytes=-0', 'bytes=0-1,3-4', 'bytes=0-1, 1-']) {
        const { response, body } = await get('/ranged', { range });
        assert.equal(response.status, 416, range);
        assert.equal(response.headers.get('content-range'), 'bytes */300');
        assert.equal((JSON.parse(String(body)) as { code: string }).code, 'range-not-satisfiable');
      }
      assert.deepEqual(probe.opened, []);
    });

    it('goes on with the same bytes only, and none that the client has', async () => {
      const statusOf = async (headers: Record<string, string>) => (await get('/ranged', headers)).response.status;
      const range = 'bytes=1-2';
      assert.equal(await statusOf({ range, 'if-range': etag }), 206);
      for (const other of ['"v2"', `W/${etag}`, 'Tue, 24 Nov 2026 12:00:00 GMT'])
        assert.equal(await statusOf({ range, 'if-range': other }), 200, other);
      probe.opened.length = 0;
      assert.equal(await statusOf({ 'if-none-match': `"x", W/${etag}` }), 304);
      const head = await service.call('/ranged', { method: 'HEAD', headers: { range } });
      assert.deepEqual([head.status, head.headers.get('content-length')], [200, '300']);
      assert.deepEqual(probe.opened, []);
    });

    it('is read no faster than the client reads, and ends when the client leaves', async () => {
      const sent = open('GET', '/endless');
      sent.end();
      const answer = await answered(sent);
      await once(answer, 'readable');
      await standsStill(() => probe.sent);
      assert.ok(probe.sent < 64 * 2 ** 20);
      assert.equal(probe.isSourceClosed, false);
      sent.destroy();
      await eventually(async () => assert.deepEqual([probe.isSourceClosed, probe.isAborted], [true, true]));
      assert.deepEqual(service.log.lines, []);
    });

    it('goes on while the service drains', async () => {
      const sent = open('GET', '/endless');
      sent.end();
      const answer = await answered(sent);
      service.drain();
      for (let parts = 0; parts < 20; parts += 1) {
        await once(answer, 'readable');
        answer.read();
      }
      assert.equal(probe.isAborted, false);
      sent.destroy();
    });

    it('does not look complete when its source fails, or is not of its length', async () => {
      for (const path of ['/failing', '/short', '/long']) {
        const sent = open('GET', path);
        sent.end();
        await assert.rejects((await answered(sent)).toArray(), /aborted/, path);
      }
      assert.equal(service.log.lines.length, 3);
    });

    it('may begin before the body has ended', async () => {
      const sent = post('/echo');
      sent.write('one');
      const answer = await answered(sent);
      const [first] = (await once(answer, 'data')) as [Buffer];
      assert.equal(String(first), 'one');
      sent.end('two');
      assert.equal(String(Buffer.concat(await answer.toArray())), 'two');
    });
  });

  it('stand in the API document as binary', () => {
    const { paths } = openApi('test', routesOf(probe));
    const binary = { schema: { type: 'string', format: 'binary' } };
    const count = paths['/count']?.post as Record<string, unknown>;
    assert.deepEqual(count.requestBody, {
      description: `Streamed. At most ${maxBytes} bytes.`,
      content: { 'application/gzip': binary, 'video/*': binary },
    });
    assert.equal(count['x-bytes'], true);
    const ranged = paths['/ranged']?.get as {
      responses: Record<string, { content?: object; headers?: object }>;
      parameters: { name: string }[];
    };
    assert.deepEqual(
      ranged.parameters.map(({ name }) => name),
      ['Range', 'If-Range'],
    );
    assert.deepEqual(ranged.responses['206']?.content, { 'video/mp4': binary });
    assert.deepEqual(Object.keys(ranged.responses['206'].headers ?? {}), ['Content-Range', 'Accept-Ranges']);
    assert.ok(ranged.responses['416']);
  });
});
