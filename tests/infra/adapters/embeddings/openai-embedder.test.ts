import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { isLeft } from 'fp-ts/Either';
import { openOpenAiEmbedder } from '../../../../infra/adapters/embeddings/openai/openai-embedder';
import { retryAfterMilliseconds } from '../../../../infra/adapters/remote/retry-after';

interface Received {
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly input: readonly string[]; readonly encoding_format: string };
}

const key = 'sk-very-secret';
const text = 'a confidential sentence';
const passage = { kind: 'passage' } as const;

describe('an embedding service', () => {
  let server: Server;
  let url: string;
  let received: Received[];
  /** For each request in turn; the last one again. */
  let answers: ((response: ServerResponse, body: Received['body']) => void)[];

  const succeed = (response: ServerResponse, { input }: Received['body']): void => {
    const data = input.map((one, index) => ({ index, embedding: [one.length, 0, index] }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: data.toReversed() }));
  };
  const fail =
    (status: number, headers: Readonly<Record<string, string>> = {}) =>
    (response: ServerResponse): void =>
      void response.writeHead(status, headers).end(JSON.stringify({ error: { message: `${key} ${text}` } }));
  const send = (content: string) => (response: ServerResponse) => void response.end(content);

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await json(request)) as Received['body'];
    received.push({ url: request.url, authorization: request.headers.authorization, body });
    (answers.length > 1 ? answers.shift() : answers[0])?.(response, body);
  };
  before(async () => {
    server = createServer((request, response) => void handle(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  });
  beforeEach(() => {
    received = [];
    answers = [succeed];
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const open = (options: Partial<Parameters<typeof openOpenAiEmbedder>[0]> = {}) =>
    openOpenAiEmbedder({ url, model: 'model-x', key, dimensions: 3, pauseMilliseconds: 5, ...options });
  const vectorsOf = async (texts: readonly string[]) => {
    const vectors = await open().embed(texts, passage);
    assert.ok(!isLeft(vectors), JSON.stringify(vectors));
    return vectors.right.map((vector) => Array.from(vector, (value) => Number(value.toFixed(3))));
  };
  const faultOf = async (options: Partial<Parameters<typeof openOpenAiEmbedder>[0]> = {}) => {
    const result = await open(options).embed([text], passage);
    assert.ok(isLeft(result));
    const written = JSON.stringify(result.left);
    assert.ok(!written.includes(key) && !written.includes(text) && !written.includes(url), written);
    return result.left;
  };

  it('returns vectors of length 1 by index', async () => {
    assert.deepEqual(await vectorsOf(['abc', 'wxyz']), [
      [1, 0, 0],
      [0.97, 0, 0.243],
    ]);
    assert.deepEqual(received, [
      {
        url: '/v1/embeddings',
        authorization: `Bearer ${key}`,
        body: { model: 'model-x', input: ['abc', 'wxyz'], encoding_format: 'float' },
      },
    ]);
  });

  it('sends texts in bounded requests, cuts long ones and sends no empty one', async () => {
    const texts = ['', ' ', 'x'.repeat(50_000), ...Array.from({ length: 100 }, () => 'y'.repeat(2_000))];
    assert.equal((await vectorsOf(texts)).length, texts.length);
    const inputs = received.map(({ body }) => body.input);
    assert.deepEqual(inputs.flat().slice(0, 3), ['.', '.', 'x'.repeat(8_000)]);
    assert.ok(inputs.every((input) => input.length <= 64 && input.join('').length <= 100_000));
    assert.deepEqual(await vectorsOf([]), []);
  });

  for (const status of [429, 500, 502, 503])
    it(`tries again after ${status}`, async () => {
      answers = [fail(status), fail(status), succeed];
      assert.equal((await vectorsOf(['abc'])).length, 1);
      assert.equal(received.length, 3);
    });

  it('waits as long as the service asks for', async () => {
    answers = [fail(429, { 'retry-after': '1' }), succeed];
    const began = performance.now();
    await vectorsOf(['abc']);
    assert.ok(performance.now() - began >= 990);
  });

  it('does not wait for more than a minute', async () => {
    answers = [fail(429, { 'retry-after': '3600' })];
    assert.match((await faultOf()).detail, /429/);
    assert.equal(received.length, 1);
  });

  it('gives up after five attempts, and reports it until the next success', async () => {
    answers = [fail(503)];
    const embedder = open();
    assert.ok(isLeft(await embedder.embed([text], passage)));
    assert.equal(received.length, 5);
    assert.ok(isLeft(await embedder.check()));
    answers = [succeed];
    assert.ok(!isLeft(await embedder.embed([text], passage)));
    assert.ok(!isLeft(await embedder.check()));
  });

  for (const [status, detail] of [
    [400, /HTTP 400/],
    [401, /refuses the key/],
    [403, /refuses the key/],
    [404, /the model or the address/],
    [302, /HTTP 302/],
  ] as const)
    it(`does not repeat a request after ${status}`, async () => {
      answers = [fail(status, { location: '/elsewhere' })];
      assert.match((await faultOf()).detail, detail);
      assert.equal(received.length, 1);
    });

  for (const [what, content] of [
    ['other dimensions', { data: [{ index: 0, embedding: [1, 2] }] }],
    ['another number of vectors', { data: [] }],
    ['an index twice', { data: [{ index: 1, embedding: [1, 2, 3] }] }],
    ['texts for numbers', { data: [{ index: 0, embedding: ['1', '2', '3'] }] }],
    ['a vector without a direction', { data: [{ index: 0, embedding: [0, 0, 0] }] }],
    ['an error with status 200', { error: { message: text } }],
  ] as const)
    it(`refuses ${what}`, async () => {
      answers = [send(JSON.stringify(content))];
      assert.match((await faultOf()).detail, /3 dimensions/);
    });

  it('refuses what is no JSON, or too large', async () => {
    answers = [send('<html>')];
    assert.match((await faultOf()).detail, /3 dimensions/);
    answers = [(response) => void response.end('1'.repeat(9 * 1024 * 1024))];
    assert.match((await faultOf()).detail, /cannot be reached/);
  });

  it('tries again after a broken connection and after silence', async () => {
    answers = [(response) => void response.destroy(), () => undefined, succeed];
    const embedder = open({ requestMilliseconds: 200 });
    assert.ok(!isLeft(await embedder.embed([text], passage)));
    assert.equal(received.length, 3);
    answers = [() => undefined];
    assert.match((await faultOf({ requestMilliseconds: 50 })).detail, /cannot be reached/);
  });

  it('stops for a signal, while it waits for an answer and between attempts', async () => {
    for (const answer of [() => undefined, fail(503, { 'retry-after': '30' })]) {
      answers = [answer];
      const result = await open().embed([text], { ...passage, signal: AbortSignal.timeout(100) });
      assert.ok(isLeft(result) && result.left.code === 'embedding-aborted');
    }
  });

  it('stops when it is closed', async () => {
    answers = [() => undefined];
    const embedder = open();
    const waiting = embedder.embed([text], passage);
    await embedder.close();
    assert.ok(isLeft(await waiting));
    assert.ok(isLeft(await embedder.embed([text], passage)));
  });

  it('sends no key where there is none', async () => {
    assert.ok(!isLeft(await open({ key: undefined }).embed([text], passage)));
    assert.equal(received[0]?.authorization, undefined);
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-11-29T12:00:00Z');
  const read = (headers: Record<string, string>) => retryAfterMilliseconds(new Headers(headers), now);

  it('is seconds, a date, or milliseconds by a name of its own', () => {
    assert.equal(read({ 'retry-after': '7' }), 7_000);
    assert.equal(read({ 'retry-after': 'Sun, 29 Nov 2026 12:00:09 GMT' }), 9_000);
    assert.equal(read({ 'retry-after': 'Sun, 29 Nov 2026 11:00:00 GMT' }), 0);
    assert.equal(read({ 'retry-after-ms': '250', 'retry-after': '7' }), 250);
  });

  it('is ignored where it is neither', () => {
    for (const value of ['soon', '-1', '1e9', '']) assert.equal(read({ 'retry-after': value }), undefined, value);
    assert.equal(read({}), undefined);
  });
});
