/** Processing of files with a real work queue, real workers, sandboxes and object storage, over a log in memory. */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { isRight, left, right } from 'fp-ts/Either';
import { retryFile } from '../../../commands/files/ingestion/retry-route';
import { context as processing } from '../../../commands/files/processes';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { runProcesses } from '../../../commands/kernel/processes/run-processes';
import { type RunningWorkers, runWorkers } from '../../../commands/kernel/work-queue/run-workers';
import { ChunkList } from '../../../domain/files/content/chunk';
import { versionKey } from '../../../domain/files/content/keys';
import type { FileId, VersionId } from '../../../domain/files/ids';
import { ingestionIdOf, ingestionStream, ingestions } from '../../../domain/files/ingestion/events';
import { pipelineVersion } from '../../../domain/files/pipeline';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { fault } from '../../../domain/kernel/rejection';
import { openLocalBlobs } from '../../../infra/adapters/blobs/local/local-blob-store';
import { openLocalCopies } from '../../../infra/adapters/blobs/local-copies';
import { openHashedEmbedder } from '../../../infra/adapters/embeddings/hashed-embedder';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { openProcessStatusReader } from '../../../infra/adapters/postgres/processes/process-status-store';
import { createPostgresWorkQueue } from '../../../infra/adapters/postgres/processes/work-queue';
import { openEncryptingStore, openRedactingStore } from '../../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../../infra/adapters/vault/memory-vault';
import type { BlobStore } from '../../../infra/ports/blob-store';
import type { Embedder } from '../../../infra/ports/files/embedder';
import type { Transcriber } from '../../../infra/ports/files/transcriber';
import { createAggregateCache } from '../../../infra/server/aggregates/aggregate-cache';
import { readerRules } from '../../../infra/server/files/file-access';
import { bind, type Identity } from '../../../infra/server/http/routing/route';
import { openSandboxes } from '../../../packages/sandbox/src/index';
import type { Sandboxes } from '../../../packages/sandbox/src/ports';
import { getFileStatus } from '../../../read-api/files/status';
import { memoryCheckpoints, memoryLeases, memoryTimers } from '../../kernel/processes/memory-stores';
import { expectRight } from '../domain/expect-right';
import { startHttpService } from '../http/http-service';
import { openFileHistory } from '../retrieval/file-history';
import { freshDatabase } from '../servers/shared-servers';
import { eventually } from '../waiting/eventually';
import { noopMetrics, recordingLog } from '../waiting/recording-log';
import { temporaryDirectory } from './temporary-directory';

export interface StageState {
  readonly name: string;
  readonly status: string;
  readonly reason: string | null;
  readonly waitsFor?: string;
  readonly queuePosition?: number;
  readonly nextTryAt?: string;
  readonly tries?: number;
}

export interface FileState {
  readonly status: string;
  readonly reason: string | null;
  readonly errorCode: string | null;
  readonly stages: readonly StageState[];
}

const caller = (principalId: string, tenantId = 'acme'): Identity => ({
  ...{ tenantId, principalId: principalId as PrincipalId, principalType: 'HUMAN', tokenId: 'jti' },
  scopes: ['files:read', 'files:write'],
});

/** Programs are not found while `hidden` is true; the reader itself is. */
const hidingPrograms = (real: Sandboxes, hidden: () => boolean): Sandboxes => ({
  ...real,
  prepare: async (request) => {
    const prepared = await real.prepare(request);
    if (!isRight(prepared)) return prepared;
    const sandbox = prepared.right;
    const exec: typeof sandbox.exec = (program) =>
      sandbox.exec(hidden() ? { ...program, argv: ['/usr/bin/env', 'PATH=/nowhere', ...program.argv] } : program);
    return right({ ...sandbox, exec });
  },
});

interface ProcessingOptions {
  /** Another object storage, which the caller closes. */
  readonly blobs?: BlobStore;
  readonly embedder?: Embedder;
}

export const openProcessingStage = async (other: ProcessingOptions = {}) => {
  const database = await freshDatabase();
  const readerUrl = expectRight(await migrate({ url: database, readerPassword: 'r'.repeat(32) }));
  const pool = openDurablePool({ url: database });
  const work = createPostgresWorkQueue(pool);
  const directory = temporaryDirectory('processing');
  chmodSync(directory.path, 0o711);
  const localBlobs = expectRight(
    openLocalBlobs({ directory: `${directory.path}/blobs`, secret: 's'.repeat(43), url: 'http://127.0.0.1/blobs' }),
  );
  const blobs = other.blobs ?? localBlobs;
  const opened = expectRight(await openSandboxes({ directory: `${directory.path}/sandboxes` }));
  const plain = openMemoryEventStore();
  const vault = memoryVault();
  const store = openEncryptingStore(plain, vault);
  const clock = { now: () => new Date().toISOString() as Instant };
  const log = recordingLog();
  const warm = createExclusiveAggregates();
  const around = { store, clock, log, metrics: noopMetrics, commandMetrics: noCommandMetrics, warm };
  const random = { uuid: randomUUID, token: () => 'token' };
  const given = { areProgramsHidden: false, transcriber: undefined as Transcriber | undefined };
  const embedder = other.embedder ?? openHashedEmbedder();
  const processes = runProcesses(Object.values(processing.processes), {
    ...around,
    ...{ work, checkpoints: memoryCheckpoints(), leases: memoryLeases(), timers: memoryTimers({ now: Date.now() }) },
  });

  const draining = new AbortController();
  const copies = openLocalCopies({ blobs, directory: `${directory.path}/sandboxes` });
  const sandboxes = hidingPrograms(opened.sandboxes, () => given.areProgramsHidden);
  const adapters = () => ({
    ...around,
    cache: warm,
    ...{
      blobs,
      sandboxes,
      copies,
      vault,
      random,
      asIssuer: undefined,
      embedder: () => embedder,
      signal: draining.signal,
    },
    transcriber: given.transcriber === undefined ? undefined : () => given.transcriber,
    // Nothing is deleted here.
    purgeEdges: async () => right(undefined),
    indexedRows: {
      count: async () => left(fault('view-store-unavailable', 'There is no index.')),
      groups: async () => right([]),
      remove: async () => right(0),
      close: async () => undefined,
    },
  });
  const started: { workers: RunningWorkers; closeQueues: () => Promise<unknown> }[] = [];
  /** Workers of these queues, until they are stopped. */
  const startWorkers = (...names: readonly string[]): void => {
    const queues = processing.queues
      .filter(({ queue }) => names.includes(queue))
      .map(({ open, ...settings }) => ({ settings, queue: open(adapters()) }));
    const handlers = queues.map(({ settings, queue }) => ({ ...settings, perform: queue.perform }));
    const workers = runWorkers(handlers, { ...around, work, pollMilliseconds: 50, drainMilliseconds: 500 });
    started.push({ workers, closeQueues: () => Promise.all(queues.map(({ queue }) => queue.close?.())) });
  };
  const stopWorkers = async (): Promise<void> => {
    for (const { workers, closeQueues } of started.splice(0)) {
      await workers.close();
      await closeQueues();
    }
  };

  const reader = openProcessStatusReader({ url: readerUrl });
  const source = { store: openRedactingStore(plain), cache: createAggregateCache(), rules: readerRules };
  const service = await startHttpService([
    bind({ source, jobs: reader.lookups } as never, getFileStatus),
    bind({ ...around, random }, retryFile),
  ]);
  const call = async (identity: Identity, target: string, body?: object) => {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
    const sent = body === undefined ? { identity } : { identity, method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await service.call(target, sent);
    return { status: answer.status, body: (await answer.json()) as never };
  };

  const historyOf = (tenant: string) =>
    openFileHistory({ store, putContent: async () => undefined }, tenant as TenantId);
  const histories = new Map<string, ReturnType<typeof historyOf>>();
  const historyFor = (tenant: string) => {
    const known = histories.get(tenant) ?? historyOf(tenant);
    histories.set(tenant, known);
    return known;
  };
  const versionIdOf = (fileId: string) => `${fileId}-v1` as VersionId;

  /** As a client uploads and completes it; `sizeBytes` may be claimed otherwise. */
  const upload = async (
    fileId: string,
    content: Buffer,
    { name, tenant = 'acme', sizeBytes = content.length }: { name: string; tenant?: string; sizeBytes?: number },
  ): Promise<void> => {
    const history = historyFor(tenant);
    await history.createFile(fileId, { name });
    const key = versionKey(tenant as TenantId, fileId as FileId, versionIdOf(fileId));
    assert.ok(
      isRight(await blobs.put({ key, body: content, size: content.length, contentType: 'application/octet-stream' })),
    );
    const { etag } = expectRight(await blobs.head(key));
    await history.ofFile(fileId, {
      type: 'VersionUploaded',
      data: {
        ...{ fileId: fileId as FileId, versionId: versionIdOf(fileId), sizeBytes, etag },
        checksumSha256: createHash('sha256').update(content).digest('hex'),
        mimeType: 'application/octet-stream',
        completedBy: 'ada' as PrincipalId,
      },
    });
  };

  const statusOf = async (fileId: string, identity = caller('ada')): Promise<FileState> => {
    const { status, body } = await call(identity, `/v1/files/${fileId}/status`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const stageOf = async (fileId: string, stage: string, identity = caller('ada')): Promise<StageState> =>
    (await statusOf(fileId, identity)).stages.find(({ name }) => name === stage) ?? assert.fail(stage);
  const until = async (
    fileId: string,
    holds: (file: FileState) => boolean,
    identity = caller('ada'),
  ): Promise<FileState> => {
    let file = await statusOf(fileId, identity);
    await eventually(async () => {
      file = await statusOf(fileId, identity);
      assert.ok(holds(file), JSON.stringify(file));
    });
    return file;
  };
  /** As if the time of their next try had come, and every claim's end. */
  const passTime = async (): Promise<void> => {
    await pool.query(`update septet.work_jobs set due = clock_timestamp() where state = 'waiting'`);
    await pool.query(
      `update septet.work_jobs set until = clock_timestamp() - interval '1 minute' where state = 'running'`,
    );
  };

  const eventsOf = async (fileId: string, tenant = 'acme') => {
    const stream = ingestionStream(tenant as TenantId, ingestionIdOf(versionIdOf(fileId), pipelineVersion));
    const stored = expectRight(await store.read(stream, 0));
    return stored.map(({ type, data }) => expectRight(ingestions.decode(type, data)));
  };
  /** The chunks that the newest event of each part names. */
  const chunksOf = async (fileId: string) => {
    const parts = new Map<number, string>();
    for (const event of await eventsOf(fileId))
      if (event.type === 'ChunksIndexed') parts.set(event.data.part, event.data.content.chunks.key);
    const lists = [];
    for (const key of parts.values()) {
      const bytes: Buffer[] = [];
      for await (const part of expectRight(await blobs.get({ key })).body) bytes.push(part as Buffer);
      lists.push(expectRight(ChunkList.decode(JSON.parse(Buffer.concat(bytes).toString('utf8')))));
    }
    return lists.flatMap(({ chunks }) => chunks);
  };

  const close = async (): Promise<void> => {
    draining.abort();
    await Promise.all([stopWorkers(), processes.close(), service.close(), reader.close()]);
    await opened.sandboxes.close();
    await Promise.all([store.close(), localBlobs.close(), pool.end()]);
    directory.remove();
  };
  return {
    ...{ work, given, upload, call, statusOf, stageOf, until, passTime, startWorkers, stopWorkers, chunksOf, eventsOf },
    ...{ historyFor, close },
  };
};

export { caller };
export type ProcessingStage = Awaited<ReturnType<typeof openProcessingStage>>;
