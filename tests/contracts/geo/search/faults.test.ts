/** Searching while Redis, Elasticsearch or the ranking fails: a whole answer, an answer that names what it lacks, or a refusal; never an empty one. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLeft } from 'fp-ts/Either';
import { service } from '../../../../read-api/geo/search/main';
import {
  openSearchStage,
  pathOf,
  type SearchAnswer,
  type SearchStage,
  samplePlace,
  searcher,
  tenant,
} from '../../../support/geo/search-stage';
import { signedHeader } from '../../../support/http/http-service';
import { openProxy, type ServerProxy } from '../../../support/servers/proxy';
import { eventually } from '../../../support/waiting/eventually';

const here = { lat: 48.2, lng: 16.37 };
const address = { street: 'Ring 1', locality: 'Wien', region: null, postalCode: null, country: 'AT' };

/** In front of Elasticsearch: refuses queries that rank, and passes the others on. */
const openRankRefusal = async (target: string): Promise<{ readonly server: Server; readonly url: string }> => {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    if (body.includes('function_score')) return void response.writeHead(500).end('{"error":{}}');
    const { 'content-length': _, host: __, connection: ___, 'transfer-encoding': ____, ...headers } = request.headers;
    const answer = await fetch(new URL(request.url ?? '/', target), {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body === '' ? {} : { body }),
    });
    response.setHeader('x-elastic-product', 'Elasticsearch');
    response.setHeader('content-type', answer.headers.get('content-type') ?? 'application/json');
    response.writeHead(answer.status).end(await answer.text());
  };
  const server = createServer((request, response) => void pass(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

describe('the search while its stores fail', function () {
  this.timeout(120_000);
  let stage: SearchStage;
  const undo: (() => unknown)[] = [];
  before(async () => {
    stage = await openSearchStage();
    const position = await stage.record([
      ...Array.from({ length: 12 }, (_, at) =>
        samplePlace(`near-${at}`, { lat: here.lat + (at + 1) * 1e-4, lng: here.lng, address, attribution: 'Survey' }),
      ),
      samplePlace('known', { lat: here.lat + 3e-3, lng: here.lng, popularity: 1e7, address, attribution: 'Survey' }),
    ]);
    await stage.untilVisible(position);
  });
  afterEach(async () => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  });
  after(() => stage.close());

  /** Another process's worth of the same service, which reaches some of its stores in another way. */
  const searchWith = async (changes: Readonly<Record<string, string>>) => {
    const started = await service.start({ ...stage.env, ...changes });
    assert.ok(!isLeft(started), JSON.stringify(started));
    undo.push(started.right.close);
    return async (parameters: Parameters<typeof pathOf>[0]) => {
      const path = pathOf(parameters);
      const headers = { 'septet-identity': signedHeader('GET', path, searcher(tenant)) };
      const answer = await fetch(`http://127.0.0.1:${started.right.port}${path}`, { headers });
      return { status: answer.status, body: (await answer.json()) as SearchAnswer & { readonly code?: string } };
    };
  };
  const proxyOf = async (url: string): Promise<ServerProxy> => {
    const proxy = await openProxy(url);
    undo.push(proxy.close);
    return proxy;
  };

  it('shows what the index knows while Redis is away, and all of it afterwards', async () => {
    const whole = { body: await stage.find(here) };
    assert.deepEqual(whole.body.warnings, []);
    const redis = await proxyOf(stage.env.REDIS_URL);
    const find = await searchWith({ REDIS_URL: redis.url });
    redis.away();
    const bare = await find(here);
    assert.equal(bare.status, 200);
    assert.deepEqual(bare.body.warnings, ['Addresses and attributions of places are not available right now.']);
    const without = whole.body.results.map((one) => ({ ...one, snippet: null, attribution: null }));
    assert.deepEqual(bare.body.results, without);
    redis.back();
    await eventually(async () => assert.deepEqual((await find(here)).body, whole.body));
  });

  it('shows what it has shown before while Redis is away, but for places that changed', async () => {
    const there = { lat: 10, lng: 10 };
    const record = async (fields: object) =>
      stage.untilVisible(
        await stage.record([samplePlace('seen', { ...there, address, attribution: 'Survey', ...fields })]),
      );
    await record({});
    const redis = await proxyOf(stage.env.REDIS_URL);
    const find = await searchWith({ REDIS_URL: redis.url });
    const whole = await find(there);
    redis.away();
    assert.deepEqual((await find(there)).body, whole.body);
    await record({ sourceVersion: 2, name: 'Other' });
    const changed = (await find(there)).body;
    assert.deepEqual(changed.warnings, ['Addresses and attributions of places are not available right now.']);
    redis.back();
    await eventually(async () => assert.equal((await find(there)).body.results[0]?.name, 'Other'));
  });

  it('is refused while Elasticsearch hangs or is away, and answers afterwards', async () => {
    const elastic = await proxyOf(stage.env.ELASTICSEARCH_URL);
    const find = await searchWith({ ELASTICSEARCH_URL: elastic.url });
    const whole = await find(here);
    assert.equal(whole.body.results.length, 13);
    for (const [fail, mend] of [
      [elastic.freeze, elastic.thaw],
      [elastic.away, elastic.back],
    ] as const) {
      fail();
      const refused = await find(here);
      assert.deepEqual([refused.status, refused.body.code], [503, 'view-store-unavailable']);
      mend();
      await eventually(async () => assert.deepEqual((await find(here)).body.results, whole.body.results));
    }
  });

  it('lists the nearest first while the ranking fails, on all pages, and says so', async () => {
    const refusal = await openRankRefusal(stage.env.ELASTICSEARCH_URL);
    undo.push(() => new Promise((resolve) => refusal.server.close(resolve)));
    const find = await searchWith({ ELASTICSEARCH_URL: refusal.url });
    const nearest = await stage.idsOf({ ...here, sort: 'distance' });
    assert.notDeepEqual(nearest, await stage.idsOf(here));
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { status, body } = await find({ ...here, limit: 5, ...(cursor === '' ? {} : { cursor }) });
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(body.warnings, ['Ranking is not available right now: the nearest places come first.']);
      assert.equal(body.incomplete, false);
      found.push(...body.results.map(({ entity_id: id }) => id));
      cursor = body.next_cursor;
    }
    assert.deepEqual(found, nearest);
    // A requested sort by distance is no degraded answer.
    assert.deepEqual((await find({ ...here, sort: 'distance' })).body.warnings, []);
  });
});
