/** The query side of files on real stores, over HTTP, with projectors over a log in memory: for tests and benches. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRight } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import { openLocalBlobs } from '../../../infra/adapters/blobs/local/local-blob-store';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openEncryptingStore, openRedactingStore } from '../../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../../infra/adapters/vault/memory-vault';
import type { Embedder } from '../../../infra/ports/files/embedder';
import { createAggregateCache } from '../../../infra/server/aggregates/aggregate-cache';
import { readerRules } from '../../../infra/server/files/file-access';
import type { Identity } from '../../../infra/server/http/routing/route';
import { openWriters } from '../../../projections/composition/view-writers';
import { context as projections } from '../../../projections/files/context';
import { runProjector } from '../../../projections/kernel/projector/projector';
import { openIndexes, openViews } from '../../../read-api/composition/view-readers';
import { openReadableLabels } from '../../../read-api/files/readable-labels';
import { fileRoutes } from '../../../read-api/files/routes';
import { cursorsSignedWith } from '../../../read-api/kernel/pagination';
import { createViewPositions } from '../../../read-api/kernel/read-your-writes';
import { expectRight } from '../domain/expect-right';
import { temporaryDirectory } from '../files/temporary-directory';
import { startHttpService } from '../http/http-service';
import { serviceVariables } from '../http/internal-keys';
import { elasticsearchForTests, freshDatabase, indexPrefix } from '../servers/shared-servers';
import { noopMetrics, recordingLog } from '../waiting/recording-log';
import { openFileHistory } from './file-history';
import { sampleEmbedder } from './sample-embedder';

export const openRetrievalStage = async (embedder: Embedder | undefined = sampleEmbedder) => {
  const [database, elasticsearch] = await Promise.all([freshDatabase(), elasticsearchForTests()]);
  const prefix = `${indexPrefix()}${randomUUID().slice(0, 8)}_`;
  const stores = { ELASTICSEARCH_URL: elasticsearch.url, ELASTICSEARCH_PREFIX: prefix };
  const readerUrl = expectRight(await migrate({ url: database, readerPassword: 'r'.repeat(32) }));
  const directory = temporaryDirectory('retrieval');
  const blobs = expectRight(
    openLocalBlobs({ directory: directory.path, secret: 's'.repeat(43), url: 'http://127.0.0.1/blobs' }),
  );
  const plain = openMemoryEventStore();
  const store = openEncryptingStore(plain, memoryVault());
  const log = recordingLog();
  const writers = openWriters(
    { ...serviceVariables, POSTGRES_URL: database, REDIS_URL: undefined, ...stores },
    { env: {} },
  );
  const projector = runProjector(projections, {
    store,
    log,
    metrics: noopMetrics,
    writerOf: ({ view }) => writers.of(view),
    blobs,
    pulseMilliseconds: 20,
  });
  const on = { OFF_POSTGRES: undefined, OFF_ELASTICSEARCH: undefined };
  const reader = { ...serviceVariables, POSTGRES_READER_URL: readerUrl, ...stores, ...on };
  const views = openViews(reader);
  const indexes = openIndexes(reader);
  const positions = createViewPositions(views);
  const reading = {
    views,
    indexes,
    positions,
    cursors: cursorsSignedWith('k'.repeat(43)),
    source: { store: openRedactingStore(plain), cache: createAggregateCache(), rules: readerRules },
    labelsOf: openReadableLabels(),
    blobs,
    embedder: () => embedder,
  };
  const service = await startHttpService(fileRoutes(reading));
  const putContent = async (key: string, body: Buffer): Promise<void> => {
    const stored = await blobs.put({ key, body, size: body.length, contentType: 'application/json' });
    assert.ok(isRight(stored), JSON.stringify(stored));
  };
  const historyOf = (tenant: string) => openFileHistory({ store, putContent }, tenant as TenantId);

  /** Until every view has this position; the newest of the log, if left out. */
  const untilVisible = async (): Promise<void> => {
    const head = expectRight(await store.head());
    for (const { view } of projections)
      for (const began = Date.now(); ; ) {
        const at = await views.checkpoint(view);
        if (isRight(at) && typeof at.right === 'bigint' && at.right >= (head ?? 0n)) break;
        assert.ok(Date.now() - began < 60_000, `${view.name}: ${JSON.stringify(log.lines.slice(-3))}`);
        await sleep(20);
      }
  };
  const call = async (identity: Identity, target: string, body?: object) => {
    const sent = {
      identity,
      ...(body === undefined
        ? {}
        : { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    };
    const answer = await service.call(target, sent);
    return { status: answer.status, body: (await answer.json()) as never };
  };
  const close = async (): Promise<void> => {
    await projector.close();
    await service.close();
    await Promise.all([writers.close(), views.close(), indexes.close(), store.close(), blobs.close()]);
    directory.remove();
  };
  return { ...historyOf('acme'), historyOf, untilVisible, call, close };
};

export type RetrievalStage = Awaited<ReturnType<typeof openRetrievalStage>>;
