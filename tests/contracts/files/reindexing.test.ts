/** Re-indexing on real stores, with real processes and workers: searches find the same passage once, before, during and after the switch. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { left, right } from 'fp-ts/Either';
import { context as processing } from '../../../commands/files/processes';
import { openIndexedFiles } from '../../../commands/files/reindexing/indexed-files';
import { reindexFiles } from '../../../commands/files/reindexing/reindex-route';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { runProcesses } from '../../../commands/kernel/processes/run-processes';
import { runWorkers } from '../../../commands/kernel/work-queue/run-workers';
import {
  type IngestionEvent,
  ingestionIdOf,
  ingestionStream,
  ingestions,
} from '../../../domain/files/ingestion/events';
import { pipelineVersion as newest } from '../../../domain/files/pipeline';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { fault } from '../../../domain/kernel/rejection';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { createPostgresWorkQueue } from '../../../infra/adapters/postgres/processes/work-queue';
import { memoryVault } from '../../../infra/adapters/vault/memory-vault';
import type { Embedder } from '../../../infra/ports/files/embedder';
import { createAggregateCache } from '../../../infra/server/aggregates/aggregate-cache';
import { bind } from '../../../infra/server/http/routing/route';
import { memoryCheckpoints, memoryLeases, memoryTimers } from '../../kernel/processes/memory-stores';
import { expectRight } from '../../support/domain/expect-right';
import { countDocuments } from '../../support/files/store-search';
import { startHttpService } from '../../support/http/http-service';
import { versionOf } from '../../support/retrieval/file-history';
import { reader } from '../../support/retrieval/memory-stage';
import { openRetrievalStage, type RetrievalStage } from '../../support/retrieval/retrieval-stage';
import { sampleEmbedder, vectorOf } from '../../support/retrieval/sample-embedder';
import { elasticsearchForTests, freshDatabase } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';

const ada = reader('ada');
const admin = { ...ada, scopes: ['files:admin'] };
const passage = 'The notice period is three months.';

interface Found {
  readonly results: readonly { readonly fileId: string; readonly snippet: string }[];
  readonly degraded: readonly string[];
}

/** Another space: what the two models make is not comparable. */
const otherModel = (embedded: string[]): Embedder => ({
  ...sampleEmbedder,
  model: 'sample-2',
  embed: async (texts, { kind }) => {
    if (kind === 'passage') embedded.push(...texts);
    return right(texts.map((text) => vectorOf(text).toReversed()));
  },
});

describe('re-indexing on real stores', function () {
  this.timeout(180_000);
  let stage: RetrievalStage;
  let present: Embedder = sampleEmbedder;
  let isStandIn = false;
  const embedded: string[] = [];
  let closing: (() => Promise<unknown>)[] = [];
  let startWorker: () => void;
  let reindex: (body: object, identity?: typeof ada) => Promise<{ readonly status: number; readonly body: unknown }>;

  beforeEach(async () => {
    present = sampleEmbedder;
    isStandIn = false;
    embedded.length = 0;
    const current: Embedder = {
      ...sampleEmbedder,
      get model() {
        return present.model;
      },
      embed: (texts, options) => present.embed(texts, options),
    };
    stage = await openRetrievalStage(current);
    const database = await freshDatabase();
    expectRight(await migrate({ url: database, readerPassword: 'r'.repeat(32) }));
    const pool = openDurablePool({ url: database });
    const work = createPostgresWorkQueue(pool);
    const draining = new AbortController();
    const clock = { now: () => new Date().toISOString() as Instant };
    const random = { uuid: randomUUID, token: () => 'token' };
    const around = {
      ...{ store: stage.store, clock, log: recordingLog(), metrics: noopMetrics, commandMetrics: noCommandMetrics },
      warm: createExclusiveAggregates(),
    };
    const adapters = {
      ...around,
      ...{ blobs: stage.blobs, vault: memoryVault(), random, asIssuer: undefined, transcriber: undefined },
      sandboxes: { prepare: () => Promise.reject(new Error('No program runs here.')), close: async () => undefined },
      copies: { take: () => Promise.reject(new Error('No program runs here.')), close: async () => undefined },
      embedder: () => (isStandIn ? { ...present, isStandIn: true as const } : present),
      signal: draining.signal,
      cache: createAggregateCache(),
      purgeEdges: async () => right(undefined),
      indexedRows: {
        count: async () => left(fault('view-store-unavailable', 'Nothing is deleted here.')),
        groups: async () => left(fault('view-store-unavailable', 'Nothing is deleted here.')),
        remove: async () => left(fault('view-store-unavailable', 'Nothing is deleted here.')),
        close: async () => undefined,
      },
    };
    const processes = runProcesses(Object.values(processing.processes), {
      ...around,
      ...{ work, checkpoints: memoryCheckpoints(), leases: memoryLeases(), timers: memoryTimers({ now: Date.now() }) },
    });
    const service = await startHttpService([
      bind(
        { ...around, random, indexedFiles: openIndexedFiles(stage.store), embeddingModel: 'sample-2' } as never,
        reindexFiles,
      ),
    ]);
    reindex = async (body, identity = admin) => {
      const headers = { 'Content-Type': 'application/json' };
      const sent = { identity, method: 'POST', headers, body: JSON.stringify(body) };
      const answer = await service.call('/v1/files/reindex', sent);
      return { status: answer.status, body: await answer.json() };
    };
    closing = [() => processes.close(), () => service.close(), () => stage.close(), () => pool.end()];
    startWorker = () => {
      const queues = processing.queues
        .filter(({ queue }) => queue === 'files-ingestion' || queue === 'files-placement')
        .map(({ open, ...settings }) => ({ settings, queue: open(adapters) }));
      const handlers = queues.map(({ settings, queue }) => ({ ...settings, perform: queue.perform }));
      const workers = runWorkers(handlers, { ...around, work, pollMilliseconds: 50, drainMilliseconds: 500 });
      closing.unshift(async () => {
        draining.abort();
        await workers.close();
        await Promise.all(queues.map(({ queue }) => queue.close?.()));
      });
    };
  });
  afterEach(async () => {
    for (const close of closing) await close();
  });

  const search = async (mode: 'keyword' | 'hybrid' | 'semantic'): Promise<Found> => {
    const answer = await stage.call(ada, '/v1/retrieval/search', { query: 'notice period', mode });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const snippets = ({ results }: Found) => results.map(({ snippet }) => snippet);
  /** Searches without a pause until the result is called, which answers how often. */
  const searching = (): (() => Promise<number>) => {
    const ending = new AbortController();
    const run = async (): Promise<number> => {
      let searches = 0;
      for (; !ending.signal.aborted; searches += 1)
        assert.deepEqual(snippets(await search(searches % 2 === 0 ? 'keyword' : 'hybrid')), [passage]);
      return searches;
    };
    const ended = run();
    ended.catch(() => undefined);
    return () => {
      ending.abort();
      return ended;
    };
  };
  const eventsOf = async (fileId: string, pipelineVersion: number): Promise<readonly IngestionEvent[]> => {
    const stream = ingestionStream('acme' as TenantId, ingestionIdOf(versionOf(fileId), pipelineVersion));
    return expectRight(await stage.store.read(stream, 0)).map(({ type, data }) =>
      expectRight(ingestions.decode(type, data)),
    );
  };
  const has = async (fileId: string, pipelineVersion: number, type: IngestionEvent['type']): Promise<void> => {
    const types = (await eventsOf(fileId, pipelineVersion)).map((event) => event.type);
    assert.ok(types.includes(type), types.join());
  };
  const rowsOf = async (where: object): Promise<number> =>
    countDocuments({ url: (await elasticsearchForTests()).url, prefix: stage.prefix }, { bool: { filter: where } });
  const reusedOf = (events: readonly IngestionEvent[]) =>
    events.flatMap((event) =>
      event.type === 'StageCompleted' && event.data.stage === 'embedding' ? [event.data.result.reused ?? 0] : [],
    );

  it('has vectors of the model that is set up in the place of others, while searches find the passage once', async () => {
    await stage.addFile('lease', [passage, passage]);
    await stage.addFile('rent', ['Rent is due monthly.']);
    await stage.untilVisible();
    present = otherModel(embedded);
    assert.deepEqual((await search('semantic')).results, [], 'vectors of different models are never compared');
    const searches: number[] = [];
    const searching = new AbortController();
    const asking = (async () => {
      for (; !searching.signal.aborted; searches.push(1)) {
        const found = (await search('keyword')).results;
        assert.deepEqual(
          found.map(({ fileId }) => fileId),
          ['lease', 'lease'],
        );
      }
    })();
    startWorker();
    for (const fileId of ['lease', 'rent'])
      await eventually(async () => {
        const requested = (await eventsOf(fileId, newest)).findIndex(({ type }) => type === 'EmbeddingRequested');
        assert.ok(requested >= 0 && (await eventsOf(fileId, newest)).at(-1)?.type === 'IngestionReady');
      });
    await stage.untilVisible();
    searching.abort();
    await asking;
    assert.ok(searches.length > 0);
    const found = await search('semantic');
    assert.deepEqual([found.results[0]?.fileId, found.degraded], ['lease', []]);
    assert.deepEqual(embedded.toSorted(), ['Rent is due monthly.', passage], 'the same text once');
    assert.deepEqual(reusedOf(await eventsOf('lease', newest)), [1]);
    assert.equal(await rowsOf({ term: { embeddingModel: 'sample-1' } }), 0);
    assert.equal(await rowsOf({ term: { embeddingModel: 'sample-2' } }), 3);
  });

  it('leaves vectors alone while something stands in for the model', async () => {
    await stage.addFile('lease', [passage]);
    present = otherModel(embedded);
    isStandIn = true;
    startWorker();
    const requested = await reindex({});
    assert.deepEqual(requested, { status: 200, body: { due: 1, requested: 1, running: 0 } });
    await eventually(() => has('lease', newest, 'StageDeferred'));
    assert.deepEqual(embedded, []);
    await stage.untilVisible();
    assert.deepEqual(snippets(await search('keyword')), [passage]);
  });

  it('has the chunks of the present pipeline in the place of an older one’s with one event, and no vector made twice', async () => {
    await stage.createFile('lease');
    await stage.ingest('lease', { pipelineVersion: newest - 1, chunks: [passage] });
    await stage.untilVisible();
    const stop = searching();
    assert.deepEqual((await reindex({})).body, { due: 1, requested: 1, running: 0 });
    await has('lease', newest, 'ReindexingRequested');
    const before = ['validation', 'type_detection', 'text_extraction', 'chunking'] as const;
    await stage.process(
      'lease',
      before.map((name) => stage.stageDone(name)),
    );
    await stage.indexChunks('lease', { chunks: [passage], model: null });
    await stage.process('lease', [{ type: 'IngestionPartlyReady', data: { chunks: 1 } }]);
    await stage.untilVisible();
    assert.equal(await rowsOf({ term: { fileId: 'lease' } }), 2, 'both are there, and one is found');
    await stage.process('lease', [stage.stageDone('ocr'), stage.stageDone('transcription')]);
    startWorker();
    await eventually(() => has('lease', newest - 1, 'ChunksWithdrawn'));
    await stage.untilVisible();
    assert.ok((await stop()) > 0);
    assert.equal(await rowsOf({ term: { fileId: 'lease' } }), 1);
    assert.equal(await rowsOf({ term: { pipelineVersion: newest } }), 1);
    assert.deepEqual(reusedOf(await eventsOf('lease', newest)), [1]);
    assert.deepEqual(snippets(await search('semantic')), [passage]);
  });

  it('is begun by administrators for some files or all, and counts those of their organization only', async () => {
    await stage.addFile('lease', [passage]);
    await stage.addFile('rent', ['Rent is due monthly.']);
    await stage.historyOf('other').addFile('theirs', [passage]);
    const some = await reindex({ fileIds: ['lease', 'theirs', 'never'] });
    assert.deepEqual(some.body, { due: 1, requested: 1, running: 0 });
    assert.deepEqual((await reindex({ fileIds: ['lease'] })).body, { due: 0, requested: 0, running: 1 });
    assert.deepEqual((await reindex({})).body, { due: 1, requested: 1, running: 1 });
    assert.equal((await reindex({ fileIds: 'lease' })).status, 400);
    assert.equal((await reindex({ fileId: 'lease' })).status, 400);
  });
});
