/** The connection to Elasticsearch, against a server whose answers the test chooses. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, errors } from '@elastic/elasticsearch';
import { openElastic } from '../../../../infra/adapters/elastic/client';

const longMilliseconds = 60_000;
const shortMilliseconds = 30;

describe('the connection to Elasticsearch', () => {
  let server: Server;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let requested: string[];
  const clients: Client[] = [];
  beforeEach(async () => {
    requested = [];
    server = createServer((request, response) => {
      requested.push(`${request.method} ${request.url}`);
      response.setHeader('x-elastic-product', 'Elasticsearch');
      response.setHeader('content-type', 'application/json');
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });
  const open = (path = '', milliseconds = longMilliseconds): Client => {
    const { port } = server.address() as AddressInfo;
    const client = openElastic(`http://127.0.0.1:${port}${path}`, milliseconds);
    clients.push(client);
    return client;
  };
  const silent = (): void => undefined;
  const begins = (_request: IncomingMessage, response: ServerResponse): void => void response.write('{');

  it('sends path, query and body beneath the path of its address, and reads text of many bytes', async () => {
    const sent: string[] = [];
    answer = (request, response) => {
      request.on('data', (chunk: Buffer) => sent.push(chunk.toString()));
      request.once('end', () => {
        const text = Buffer.from('{"hits":{"hits":[{"_source":{"name":"Zürich €"}}]}}');
        for (const byte of text) response.write(Buffer.of(byte));
        response.end();
      });
    };
    const found = await open('/search/').search({ index: 'places', size: 1, allow_partial_search_results: false });
    assert.deepEqual(found.hits.hits[0]?._source, { name: 'Zürich €' });
    assert.deepEqual(requested, ['POST /search/places/_search?allow_partial_search_results=false']);
    assert.deepEqual(sent, ['{"size":1}']);
  });

  it('answers refusals of the server with their status', async () => {
    answer = (_request, response) => void response.writeHead(400).end('{"error":"no"}');
    const isRefused = (error: unknown) => error instanceof errors.ResponseError && error.statusCode === 400;
    await assert.rejects(open().search({ index: 'places' }), isRefused);
  });

  for (const [name, stalls] of [
    ['says nothing', silent],
    ['stops in the middle', begins],
  ] as const)
    it(`gives up a server that ${name}, after the time of the request or of the client`, async () => {
      answer = stalls;
      await assert.rejects(
        open().search({ index: 'places' }, { requestTimeout: shortMilliseconds, maxRetries: 0 }),
        errors.TimeoutError,
      );
      await assert.rejects(open('', shortMilliseconds).search({ index: 'places' }), errors.TimeoutError);
      assert.equal(requested.length, 2, 'what took too long is not repeated');
    });

  it('ends when its caller aborts, before and while it waits', async () => {
    answer = silent;
    const aborting = new AbortController();
    const searching = open().search({ index: 'places' }, { signal: aborting.signal });
    const ended = assert.rejects(searching, errors.RequestAbortedError);
    await once(server, 'request');
    aborting.abort();
    await ended;
    const late = open().search({ index: 'places' }, { signal: aborting.signal });
    await assert.rejects(late, errors.RequestAbortedError);
  });

  it('repeats once what a broken connection ended', async () => {
    answer = (request) => void request.socket.destroy();
    await assert.rejects(open().search({ index: 'places' }), errors.ConnectionError);
    assert.equal(requested.length, 2);
  });
});
