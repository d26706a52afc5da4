/** Processing of videos with a real work queue, real workers, sandboxes and object storage, over a log in memory. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRight, left, right } from 'fp-ts/Either';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { handle } from '../../../commands/kernel/handle';
import { loadStream } from '../../../commands/kernel/load-stream';
import { runProcesses } from '../../../commands/kernel/processes/run-processes';
import type { DecodedJob, JobRun, WorkerAdapters } from '../../../commands/kernel/work-queue/job-handler';
import { type RunningWorkers, runWorkers } from '../../../commands/kernel/work-queue/run-workers';
import { context as processing } from '../../../commands/video/processes';
import { contentKeyOf } from '../../../commands/video/protection/content-keys';
import { performVideoReconciliation } from '../../../commands/video/reconciliation/perform-reconciliation';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { fault } from '../../../domain/kernel/rejection';
import { videoAccessRules } from '../../../domain/video/access/decider';
import { videoAccessStream } from '../../../domain/video/access/events';
import { encodingIdOf, encodingStream, encodings } from '../../../domain/video/encoding/events';
import type { VideoId, VideoUploadId } from '../../../domain/video/ids';
import { type DeliveredFolder, deliveredPrefix, rawObjectKey, sidecarsOf } from '../../../domain/video/keys';
import type { VideoReconciliation } from '../../../domain/video/reconcile-videos-on-reconciled/process';
import { videoReconciliationStream, videoReconciliations } from '../../../domain/video/reconciliation/events';
import { type SidecarCommand, videoSidecars } from '../../../domain/video/sidecars/decider';
import { sidecarStream } from '../../../domain/video/sidecars/events';
import type { SidecarState } from '../../../domain/video/sidecars/state';
import { type VideoCommand, video } from '../../../domain/video/video/decider';
import { videoStream, videos } from '../../../domain/video/video/events';
import { playedGeneration, type UploadedVideo } from '../../../domain/video/video/state';
import { openLocalBlobs } from '../../../infra/adapters/blobs/local/local-blob-store';
import { openLocalCopies } from '../../../infra/adapters/blobs/local-copies';
import { openHashedEmbedder } from '../../../infra/adapters/embeddings/hashed-embedder';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { createJobLookup, ownersJobs } from '../../../infra/adapters/postgres/processes/job-reads';
import { createPostgresWorkQueue } from '../../../infra/adapters/postgres/processes/work-queue';
import { openEncryptingStore } from '../../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../../infra/adapters/vault/memory-vault';
import type { BlobStore } from '../../../infra/ports/blob-store';
import type { LocalCopies } from '../../../infra/ports/files/local-copies';
import type { Transcriber } from '../../../infra/ports/files/transcriber';
import type { WorkQueue } from '../../../infra/ports/processes/work-queue';
import { openSandboxes } from '../../../packages/sandbox/src/index';
import type { Sandboxes } from '../../../packages/sandbox/src/ports';
import { memoryCheckpoints, memoryLeases, memoryTimers } from '../../kernel/processes/memory-stores';
import { expectRight } from '../domain/expect-right';
import { temporaryDirectory } from '../files/temporary-directory';
import { freshDatabase } from '../servers/shared-servers';
import { eventually } from '../waiting/eventually';
import { noopMetrics, recordingLog } from '../waiting/recording-log';

const tenant = 'acme' as TenantId;
const ada = 'ada' as PrincipalId;

/** What one worker process works with. */
export interface WorkerPorts {
  readonly adapters: WorkerAdapters;
  readonly work: WorkQueue;
}

interface ProcessingOptions {
  /** Another object storage, which the caller closes. */
  readonly blobs?: BlobStore;
  readonly copies?: (copies: LocalCopies) => LocalCopies;
  /** Of sandboxes and copies. */
  readonly sandboxDirectory?: string;
  /** Undefined: speech is not transcribed. */
  readonly transcriber?: () => Transcriber | undefined;
}

interface GivenPrograms {
  /** They are not found. */
  areProgramsHidden: boolean;
  /** ffmpeg is one that was built without it. */
  lacksEncoder: string | undefined;
}

const hidingPrograms = (real: Sandboxes, given: GivenPrograms): Sandboxes => ({
  ...real,
  prepare: async (request) => {
    const prepared = await real.prepare(request);
    if (!isRight(prepared)) return prepared;
    const sandbox = prepared.right;
    const exec: typeof sandbox.exec = (program) => {
      const [name = '', ...args] = program.argv;
      const known = args.map((one) => (one === given.lacksEncoder ? 'none' : one));
      return sandbox.exec({ ...program, argv: [given.areProgramsHidden ? `/nowhere/${name}` : name, ...known] });
    };
    return right({ ...sandbox, exec });
  },
});

export const openVideoProcessing = async (other: ProcessingOptions = {}) => {
  const database = await freshDatabase();
  expectRight(await migrate({ url: database, readerPassword: 'r'.repeat(32) }));
  const pool = openDurablePool({ url: database });
  const work = createPostgresWorkQueue(pool);
  const directory = temporaryDirectory('video-processing');
  chmodSync(directory.path, 0o711);
  const localBlobs = expectRight(
    openLocalBlobs({ directory: `${directory.path}/blobs`, secret: 's'.repeat(43), url: 'http://127.0.0.1/blobs' }),
  );
  const blobs = other.blobs ?? localBlobs;
  const { sandboxDirectory = `${directory.path}/sandboxes` } = other;
  const opened = expectRight(await openSandboxes({ directory: sandboxDirectory }));
  const plainCopies = openLocalCopies({ blobs, directory: sandboxDirectory });
  const copies = other.copies?.(plainCopies) ?? plainCopies;
  const vault = memoryVault();
  const store = openEncryptingStore(openMemoryEventStore(), vault);
  const clock = { now: () => new Date().toISOString() as Instant };
  const log = recordingLog();
  const warm = createExclusiveAggregates();
  const around = { store, clock, log, metrics: noopMetrics, commandMetrics: noCommandMetrics, warm };
  const given: GivenPrograms = { areProgramsHidden: false, lacksEncoder: undefined };
  const processes = runProcesses(Object.values(processing.processes), {
    ...around,
    ...{ work, checkpoints: memoryCheckpoints(), leases: memoryLeases(), timers: memoryTimers({ now: Date.now() }) },
  });
  const purged: string[] = [];
  const draining = new AbortController();
  const adapters: WorkerAdapters = {
    ...around,
    ...{ cache: warm, blobs, copies, vault, signal: draining.signal, asIssuer: undefined },
    transcriber: other.transcriber,
    sandboxes: hidingPrograms(opened.sandboxes, given),
    random: { uuid: randomUUID, token: () => 'token' },
    embedder: openHashedEmbedder,
    purgeEdges: async (key: string) => {
      purged.push(key);
      return right(undefined);
    },
    indexedRows: {
      count: async () => left(fault('view-store-unavailable', 'There is no index.')),
      groups: async () => right([]),
      remove: async () => right(0),
      close: async () => undefined,
    },
  };

  const started: { workers: RunningWorkers; closeQueues: () => Promise<unknown> }[] = [];
  const startWorkers = (own: (ports: WorkerPorts) => WorkerPorts = (same) => same): void => {
    const ports = own({ adapters, work });
    const queues = processing.queues.map(({ open, ...settings }) => ({ settings, queue: open(ports.adapters) }));
    const handlers = queues.map(({ settings, queue }) => ({ ...settings, perform: queue.perform }));
    const deps = { ...around, store: ports.adapters.store, work: ports.work };
    const workers = runWorkers(handlers, { ...deps, pollMilliseconds: 50, drainMilliseconds: 500 });
    started.push({ workers, closeQueues: () => Promise.all(queues.map(({ queue }) => queue.close?.())) });
  };
  const stopWorkers = async (): Promise<void> => {
    for (const { workers, closeQueues } of started.splice(0)) {
      await workers.close();
      await closeQueues();
    }
  };

  const read = async (key: string): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of expectRight(await blobs.get({ key })).body) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  };
  const streamOf = (videoId: string) => videoStream(tenant, videoId as VideoId);
  const send = async (videoId: string, command: VideoCommand) => {
    const stream = streamOf(videoId);
    const commandId = randomUUID();
    return handle(around, video, { stream, command, tenant, actor: ada, correlationId: commandId, commandId });
  };
  const sendSidecar = async (videoId: string, command: SidecarCommand) => {
    const stream = sidecarStream(tenant, videoId as VideoId);
    const commandId = randomUUID();
    return handle(around, videoSidecars, {
      ...{ stream, command, tenant, actor: ada, correlationId: commandId, commandId },
    });
  };
  const sidecarsOfVideo = async (videoId: string): Promise<SidecarState> =>
    expectRight(await loadStream({ store }, videoSidecars, sidecarStream(tenant, videoId as VideoId)));
  /** What was made beside a video. */
  const sidecar = async (videoId: string, folder: DeliveredFolder, name: string): Promise<Buffer> =>
    read(deliveredPrefix(sidecarsOf({ tenant, videoId: videoId as VideoId }), folder) + name);
  /** The one that is played. */
  const generationOf = async (videoId: string) => {
    const { generation } = playedGeneration(await stateOf(videoId));
    return { tenant, videoId: videoId as VideoId, generation };
  };

  /** As a completed upload leaves it; a later attempt is of another source. */
  const upload = async (videoId: string, path: string, attempt = 1): Promise<void> => {
    const body = readFileSync(path);
    const uploadId = `${videoId}-${attempt}` as VideoUploadId;
    const key = rawObjectKey(tenant, videoId as VideoId, uploadId);
    const { etag } = expectRight(await blobs.put({ key, body, size: body.length, contentType: 'video/mp4' }));
    expectRight(
      await send(videoId, {
        type: 'RecordVideoUpload',
        ...{ videoId: videoId as VideoId, uploadId, ownerId: ada, rawObjectKey: key, etag },
        ...{ fileSize: body.length, contentType: 'video/mp4' },
      }),
    );
  };
  const protect = async (videoId: string) => {
    const commandId = randomUUID();
    expectRight(
      await handle(around, videoAccessRules, {
        stream: videoAccessStream(tenant),
        command: {
          ...{ type: 'ChangeVideoProtection', protection: 'aes128', generation: 1, isPublished: false },
          ...{ by: ada, isAdministrator: false, video: { videoId: videoId as VideoId, ownerId: ada } },
        },
        ...{ tenant, actor: ada, correlationId: commandId, commandId },
      }),
    );
  };
  const contentKey = async (videoId: string): Promise<Buffer> => {
    const key = expectRight(await contentKeyOf(adapters, await generationOf(videoId)));
    return key?.bytes ?? assert.fail('the video is not protected');
  };
  const stateOf = async (videoId: string): Promise<UploadedVideo> => {
    const state = expectRight(await loadStream({ store }, video, streamOf(videoId)));
    return state.kind === 'uploaded' ? state : assert.fail(state.kind);
  };
  const eventsOf = async (videoId: string) => {
    const stored = expectRight(await store.read(streamOf(videoId), 0));
    return stored.map(({ type, data }) => expectRight(videos.decode(type, data)));
  };
  /** Groups of the smallest rendition, in the order in which they were recorded. */
  const encoded = async (videoId: string) => {
    const [smallest] = (await stateOf(videoId)).facts.ladder?.renditions ?? [];
    if (smallest === undefined) return [];
    const stream = encodingStream(tenant, encodingIdOf(videoId as VideoId, 1, [smallest]));
    const stored = expectRight(await store.read(stream, 0));
    const events = stored.map(({ type, data }) => expectRight(encodings.decode(type, data)));
    return events.flatMap((event) => (event.type === 'GroupEncoded' ? [event.data] : []));
  };
  const until = async (
    videoId: string,
    holds: (state: UploadedVideo) => boolean,
    milliseconds = 120_000,
  ): Promise<UploadedVideo> => {
    let state = await stateOf(videoId);
    const began = Date.now();
    const waited = async (): Promise<void> => {
      state = await stateOf(videoId);
      assert.ok(
        holds(state),
        JSON.stringify(state, (_, value) => (value instanceof Map ? [...value] : value)),
      );
    };
    // Encoding takes longer than other things that tests wait for.
    while (Date.now() - began < milliseconds)
      try {
        await eventually(waited);
        return state;
      } catch (error) {
        if (Date.now() - began > milliseconds) throw error;
      }
    return state;
  };
  const delivered = async (videoId: string, folder: DeliveredFolder, name: string): Promise<Buffer> => {
    return read(deliveredPrefix(await generationOf(videoId), folder) + name);
  };
  const manifest = async (videoId: string, name: string): Promise<string> => {
    const { facts } = playedGeneration(await stateOf(videoId));
    const bytes = await delivered(videoId, 'manifests', `${facts.manifest?.manifestSha256}/${name}`);
    return bytes.toString('utf8');
  };
  const objects = async (): Promise<readonly string[]> =>
    expectRight(await blobs.list({ prefix: 'videos/' })).blobs.map(({ key }) => key);
  /** What manifests may name, with its size. */
  const segmentSizes = async (videoId: string): Promise<ReadonlyMap<string, number>> => {
    const prefix = deliveredPrefix(await generationOf(videoId), 'segments');
    const { blobs: found } = expectRight(await blobs.list({ prefix }));
    return new Map(found.map(({ key, size }) => [`../../segments/${key.slice(prefix.length)}`, size]));
  };
  /** As if the time of their next try had come. */
  const endPauses = async (): Promise<void> => {
    await pool.query(`update septet.work_jobs set due = clock_timestamp() where state = 'waiting'`);
  };
  /** As if it had, and the end of every claim: for workers that are gone. */
  const passTime = async (): Promise<void> => {
    await endPauses();
    await pool.query(
      `update septet.work_jobs set until = clock_timestamp() - interval '1 minute' where state = 'running'`,
    );
  };
  /** As a worker does it so many days from now; answers what it found, undefined if it is to be tried again. */
  const reconcile = async (days: number) => {
    const now = () => new Date(Date.now() + days * 86_400_000).toISOString() as Instant;
    const perform = performVideoReconciliation({ ...adapters, clock: { now } });
    const run = { signal: draining.signal, isLastAttempt: () => false, checkpoint: async () => undefined } as JobRun;
    const token = `reconciliation-${days}`;
    const job = { id: token, token, attempt: 1, tenant, payload: {} } as unknown as DecodedJob<VideoReconciliation>;
    if (!isRight(await perform(job, run))) return undefined;
    const stored = expectRight(await store.read(videoReconciliationStream(tenant), 0));
    const events = stored.map(({ type, data }) => expectRight(videoReconciliations.decode(type, data)));
    return events.flatMap((event) => (event.type === 'VideosReconciled' ? [event.data.counts] : [])).at(-1);
  };
  const close = async (): Promise<void> => {
    draining.abort();
    await Promise.all([stopWorkers(), processes.close()]);
    await opened.sandboxes.close();
    await copies.close();
    await Promise.all([store.close(), localBlobs.close(), pool.end()]);
    directory.remove();
  };
  return {
    ...{
      given,
      store,
      work,
      jobs: createJobLookup({ ...ownersJobs, query: (_tenant, statement) => pool.query(statement) }),
      blobs,
      log,
      upload,
      protect,
      contentKey,
      send,
      sendSidecar,
      sidecarsOfVideo,
      sidecar,
      stateOf,
      eventsOf,
      objects,
      segmentSizes,
      encoded,
      purged,
      until,
      delivered,
      manifest,
      endPauses,
      passTime,
      reconcile,
      startWorkers,
      stopWorkers,
      close,
    },
    path: (name: string) => join(directory.path, name),
  };
};

export type VideoProcessing = Awaited<ReturnType<typeof openVideoProcessing>>;
