/** The query side of files on real stores, over HTTP, with projectors over a log in memory: for tests and benches. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRight } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import { openLocalBlobs } from '../../../infra/adapters/blobs/local/local-blob-store';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { coalesceReads } from '../../../infra/adapters/eventstore/read/coalesced-reads';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openEncryptingStore, openRedactingStore } from '../../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../../infra/adapters/vault/memory-vault';
import type { EventStore } from '../../../infra/ports/event-store';
import type { AnswerModel } from '../../../infra/ports/files/answer-model';
import type { Embedder } from '../../../infra/ports/files/embedder';
import { createAggregateCache } from '../../../infra/server/aggregates/aggregate-cache';
import { readerRules } from '../../../infra/server/files/file-access';
import type { Identity } from '../../../infra/server/http/routing/route';
import { openWriters } from '../../../projections/composition/view-writers';
import { context as ofFiles } from '../../../projections/files/context';
import { principalsProjection } from '../../../projections/identity/principals/project';
import { runProjector } from '../../../projections/kernel/projector/projector';
import { openIndexes, openProcessStatus, openViews } from '../../../read-api/composition/view-readers';
import { createTenantSlots } from '../../../read-api/files/answer/model/tenant-slots';
import { openReadableLabels } from '../../../read-api/files/readable-labels';
import { fileRoutes } from '../../../read-api/files/routes';
import { auditTo } from '../../../read-api/files/search/audit';
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

const projections = [...ofFiles, principalsProjection];

export interface RetrievalStageOptions {
  /** What writes answers; left out, they are extracts. */
  readonly answerModel?: AnswerModel;
  readonly plain?: EventStore;
  /** `later`: by `startProjector`, after what is to be projected has happened. */
  readonly projects?: 'at-once' | 'later';
}

export const openRetrievalStage = async (
  embedder: Embedder | undefined = sampleEmbedder,
  { answerModel, plain = openMemoryEventStore(), projects = 'at-once' }: RetrievalStageOptions = {},
) => {
  const [database, elasticsearch] = await Promise.all([freshDatabase(), elasticsearchForTests()]);
  const prefix = `${indexPrefix()}${randomUUID().slice(0, 8)}_`;
  const stores = { ELASTICSEARCH_URL: elasticsearch.url, ELASTICSEARCH_PREFIX: prefix };
  const readerUrl = expectRight(await migrate({ url: database, readerPassword: 'r'.repeat(32) }));
  const directory = temporaryDirectory('retrieval');
  const blobs = expectRight(
    openLocalBlobs({ directory: directory.path, secret: 's'.repeat(43), url: 'http://127.0.0.1/blobs' }),
  );
  const vault = memoryVault();
  const store = openEncryptingStore(plain, vault);
  const log = recordingLog();
  const writers = openWriters(
    { ...serviceVariables, POSTGRES_URL: database, REDIS_URL: undefined, ...stores },
    { env: {} },
  );
  const startProjector = () =>
    runProjector(projections, {
      store,
      log,
      metrics: noopMetrics,
      writerOf: ({ view }) => writers.of(view),
      blobs,
      pulseMilliseconds: 20,
    });
  let projector = projects === 'later' ? undefined : startProjector();
  const on = { OFF_POSTGRES: undefined, OFF_ELASTICSEARCH: undefined };
  const reader = { ...serviceVariables, POSTGRES_READER_URL: readerUrl, ...stores, ...on };
  const views = openViews(reader);
  const indexes = openIndexes(reader);
  const positions = createViewPositions(views);
  const processes = openProcessStatus(reader);
  const reading = {
    jobs: processes.lookups,
    views,
    indexes,
    positions,
    cursors: cursorsSignedWith('k'.repeat(43)),
    source: { store: coalesceReads(openRedactingStore(plain)), cache: createAggregateCache(), rules: readerRules },
    labelsOf: openReadableLabels(),
    blobs,
    embedder: () => embedder,
    audit: auditTo(log),
    answerModel: answerModel === undefined ? undefined : { model: answerModel, slots: createTenantSlots(4) },
  };
  const service = await startHttpService(fileRoutes(reading));
  const putContent = async (key: string, body: Buffer): Promise<void> => {
    const stored = await blobs.put({ key, body, size: body.length, contentType: 'application/json' });
    assert.ok(isRight(stored), JSON.stringify(stored));
  };
  const historyOf = (tenant: string) => openFileHistory({ store, putContent }, tenant as TenantId);

  /** Until every view has this position; the newest of the log, if left out. */
  const untilVisible = async (mostMilliseconds = 60_000): Promise<void> => {
    const head = expectRight(await store.head());
    for (const { view } of projections)
      for (const began = Date.now(); ; ) {
        const at = await views.checkpoint(view);
        if (isRight(at) && typeof at.right === 'bigint' && at.right >= (head ?? 0n)) break;
        assert.ok(Date.now() - began < mostMilliseconds, `${view.name}: ${JSON.stringify(log.lines.slice(-3))}`);
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
  const stopProjector = async (): Promise<void> => {
    await projector?.close();
    projector = undefined;
  };
  /** The text of server-sent events. */
  const events = async (identity: Identity, target: string, body: object) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'text/event-stream' };
    const answer = await service.call(target, { identity, method: 'POST', body: JSON.stringify(body), headers });
    return { status: answer.status, text: await answer.text() };
  };
  const close = async (): Promise<void> => {
    await stopProjector();
    await service.close();
    await Promise.all([writers.close(), views.close(), indexes.close(), store.close(), blobs.close()]);
    directory.remove();
  };
  /** For who opens the index past its views. */
  const index = { url: elasticsearch.url, postgresUrl: database, prefix };
  const served = { store, vault, blobs, prefix, index, reading, service, call, events, log };
  const projecting = {
    startProjector: (): void => {
      projector ??= startProjector();
    },
    stopProjector,
    untilVisible,
  };
  return { ...historyOf('acme'), historyOf, ...projecting, ...served, close };
};

export type RetrievalStage = Awaited<ReturnType<typeof openRetrievalStage>>;
