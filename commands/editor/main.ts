/** The editor service: owns documents and serves their sockets. Any number of processes may run. */
import { randomBytes, randomUUID } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { type Either, isLeft } from 'fp-ts/Either';
import { limits } from '../../domain/editor/limits';
import type { Instant } from '../../domain/kernel/codec';
import { blobVariables, openBlobs } from '../../infra/adapters/blobs/open-blob-store';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { coalesceReads } from '../../infra/adapters/eventstore/read/coalesced-reads';
import { openStreamPages } from '../../infra/adapters/eventstore/read/stream-pages';
import { openRedactingStore } from '../../infra/adapters/vault/encrypting-store';
import type { DocumentLeases } from '../../infra/ports/editor/document-leases';
import type { Clock } from '../../infra/ports/runtime/clock';
import type { Health, PartHealth } from '../../infra/ports/runtime/health';
import type { Random } from '../../infra/ports/runtime/random';
import { pieceBlobs } from '../../infra/server/documents/piece-blobs';
import { openPieceUrls } from '../../infra/server/documents/piece-urls';
import { openSnapshotWorker } from '../../infra/server/documents/snapshots/snapshot-worker';
import { openVersionSnapshots } from '../../infra/server/documents/snapshots/version-snapshot';
import { callerKeysOf, callerVariables, serve } from '../../infra/server/http/routing/serve';
import { endForAnotherLog } from '../../infra/server/log-identity/end-for-another-log';
import { type ConfigOf, variables } from '../../infra/server/runtime/config';
import { runProcess, type ServiceContext, service } from '../../infra/server/runtime/service';
import { openRevocationState } from '../../infra/server/security-state/revocation-state';
import { tracedEventStore } from '../../infra/server/trace/traced-event-store';
import { createCommandMetrics } from '../kernel/command-metrics';
import { createExclusiveAggregates } from '../kernel/exclusive-aggregates';
import { openAccessSource } from './access/document-access';
import { coordinationVariables, openCoordination } from './composition/coordination';
import { openClientIds } from './document-owner/client-ids';
import { ownerMetrics } from './document-owner/metrics';
import { closeOnDrain, openDocumentRegistry } from './document-owner/registry/document-registry';
import { watchTakeovers } from './document-owner/registry/takeover-watch';
import { settingsFor } from './document-owner/settings';
import { openSnapshots } from './document-owner/snapshot-store';
import { editorServiceRoutes } from './service-routes';
import { openEditorEndpoints } from './sessions/endpoints';
import { sessionMetrics } from './sessions/metrics';
import { createRateLimiter } from './sessions/rate-limits';

const config = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  PUBLIC_URL: variables.PUBLIC_URL,
  EVENTSTORE_URL: variables.EVENTSTORE_URL,
  ...callerVariables,
  EDITOR_CLIENT_KEY: variables.EDITOR_CLIENT_KEY,
  ...coordinationVariables,
  ...blobVariables,
};
type Config = ConfigOf<typeof config>;

const clock: Clock = { now: () => new Date().toISOString() as Instant };
const random: Random = { uuid: randomUUID, token: (bytes) => randomBytes(bytes).toString('base64url') };

const openLog = ({ EVENTSTORE_URL: url }: Config, context: ServiceContext) => {
  const plain = tracedEventStore(
    openEventStore({ url, log: context.log, signal: context.signal, replaced: endForAnotherLog(context.log) }),
    context,
  );
  const stopping = new AbortController();
  const store = openRedactingStore(plain);
  const access = openAccessSource({ store: coalesceReads(store), log: context.log, signal: stopping.signal });
  const pages = openStreamPages({ url, signal: context.signal });
  const close = async (): Promise<void> => {
    stopping.abort();
    await access.ended;
    await Promise.all([store.close(), pages.close()]);
  };
  return { store, access, pages: pages.stream, close };
};
type OpenLog = ReturnType<typeof openLog>;

const openSnapshotStorage = (values: Config, { log }: ServiceContext, pages: OpenLog['pages']) => {
  const blobs = openBlobs(values, `${values.PUBLIC_URL}/blobs`);
  // Without object storage nothing can be opened or stored, so a faulty configuration stops the process.
  if (isLeft(blobs)) throw new Error(blobs.left.detail);
  const stored = pieceBlobs(blobs.right);
  const ownerWorker = openSnapshotWorker({ stored, log });
  // A second thread, so that reading old versions does not delay owners' snapshots.
  const snapshotWorker = openSnapshotWorker({ stored, log });
  const snapshots = openSnapshots({
    stored,
    worker: ownerWorker,
    at: openVersionSnapshots({ pages, worker: snapshotWorker }),
  });
  const close = async (): Promise<void> => void (await Promise.all([ownerWorker.close(), snapshotWorker.close()]));
  return { blobs: blobs.right, pieceUrls: openPieceUrls(blobs.right), snapshots, snapshotWorker, close };
};
type SnapshotStorage = ReturnType<typeof openSnapshotStorage>;

/** Every process answers it, whichever owns the document. */
const duplicationOf = ({ metrics, log, trace }: ServiceContext, opened: Omit<OpenLog & SnapshotStorage, 'close'>) => {
  const store = coalesceReads(opened.store);
  const commandMetrics = createCommandMetrics(metrics);
  const warm = createExclusiveAggregates();
  return { ...opened, store, clock, random, log, warm, commandMetrics, trace };
};

const partOf = (found: Either<{ readonly detail: string }, unknown>): PartHealth =>
  isLeft(found) ? { ok: false, detail: found.left.detail } : { ok: true };

/**
 * The service stays ready without leases, because the log separates owners, and without object storage, because open
 * documents remain editable.
 */
const healthOf =
  ({ store, blobs, leases }: Pick<OpenLog, 'store'> & Pick<SnapshotStorage, 'blobs'> & { leases: DocumentLeases }) =>
  async (): Promise<Health> => {
    const [head, lease, stored] = await Promise.all([store.head(), leases.holderAddress('nobody'), blobs.check()]);
    const parts = { 'event-store': partOf(head), redis: partOf(lease), 'object-storage': partOf(stored) };
    return { ready: !isLeft(head), parts };
  };

const start = async (values: Config, context: ServiceContext) => {
  const { log, metrics, signal } = context;
  const { close: closeLog, ...opened } = openLog(values, context);
  const storage = openSnapshotStorage(values, context, opened.pages);
  const { leases, presenceStore } = openCoordination(values);
  const clientIds = openClientIds({ keys: values.EDITOR_CLIENT_KEY, clock, random });
  const core = { ...opened, ...storage, leases, presenceStore, clientIds, clock, random, log };
  const ownerDeps = {
    ...core,
    metrics: ownerMetrics(metrics),
    settings: settingsFor(getHeapStatistics().heap_size_limit),
    processId: random.uuid(),
  };
  const documents = openDocumentRegistry(ownerDeps);
  const stopping = new AbortController();
  const watching = watchTakeovers({ store: opened.store, log, signal: stopping.signal }, documents);
  const callerKeys = callerKeysOf(values, context);
  const endpoints = openEditorEndpoints({
    ...core,
    documents,
    callerKeys,
    signal: closeOnDrain(documents, signal),
    rateLimiter: createRateLimiter(limits.rates),
    rights: openRevocationState(opened.store, context).rights,
    metrics: sessionMetrics(metrics),
  });
  const duplication = duplicationOf(context, { ...opened, ...storage });
  const routes = editorServiceRoutes({ content: endpoints.content, duplication });
  const health = healthOf({ store: opened.store, blobs: storage.blobs, leases });
  const close = async (): Promise<void> => {
    await documents.close();
    stopping.abort();
    await watching;
    await Promise.all([closeLog(), leases.close(), presenceStore.close(), storage.close()]);
    await storage.blobs.close();
  };
  return serve({ config: values, context, callerKeys, routes, upgrade: endpoints.upgrade, health, close });
};

const editor = service({ name: 'editor', config, start });

export { editor as service };

if (require.main === module) runProcess(editor);
