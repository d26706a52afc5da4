/** The editor: documents that this copy owns, and everybody who has one of them open. Any number of copies may run. */
import { randomBytes, randomUUID } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { type Either, isLeft } from 'fp-ts/Either';
import { limits } from '../../domain/editor/limits';
import type { Instant } from '../../domain/kernel/codec';
import { blobVariables, openBlobs } from '../../infra/blobs/open';
import { type ConfigOf, variables } from '../../infra/config';
import { pieceBlobs } from '../../infra/documents/piece-blobs';
import { openPieceUrls } from '../../infra/documents/piece-urls';
import { openEventStore } from '../../infra/eventstore/client';
import { sharingReads } from '../../infra/eventstore/shared-reads';
import { openStreamPages } from '../../infra/eventstore/stream-pages';
import { callerKeysOf, callerVariables, serve } from '../../infra/http/serve';
import type { Clock } from '../../infra/ports/clock';
import type { DocumentOwners } from '../../infra/ports/document-owners';
import type { Health, PartHealth } from '../../infra/ports/health';
import type { Random } from '../../infra/ports/random';
import { openRevocationState } from '../../infra/security-state/revocation-state';
import { runProcess, type ServiceContext, service } from '../../infra/service';
import { observedStore } from '../../infra/trace/observed-store';
import { openRedactingStore } from '../../infra/vault/encrypting-store';
import { commandFigures } from '../kernel/figures';
import { openWarm } from '../kernel/warm';
import { openAccess } from './access/access';
import { openShared, sharedVariables } from './composition/shared';
import { historyRoutes } from './history/routes';
import { openClientIds } from './owner/client-ids';
import { openDocuments } from './owner/documents';
import { ownerFigures } from './owner/figures';
import { settingsFor } from './owner/settings';
import { watchTakeovers } from './owner/takeovers';
import { parted } from './parting';
import { openAllowances } from './sessions/allowance';
import { openDoors } from './sessions/doors';
import { sessionFigures } from './sessions/figures';
import { snapshotAt } from './snapshots/at';
import { openDesk } from './snapshots/desk';
import { openSnapshots } from './snapshots/store';

const config = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  PUBLIC_URL: variables.PUBLIC_URL,
  EVENTSTORE_URL: variables.EVENTSTORE_URL,
  ...callerVariables,
  EDITOR_CLIENT_KEY: variables.EDITOR_CLIENT_KEY,
  ...sharedVariables,
  ...blobVariables,
};
type Config = ConfigOf<typeof config>;

const clock: Clock = { now: () => new Date().toISOString() as Instant };
const random: Random = { uuid: randomUUID, token: (bytes) => randomBytes(bytes).toString('base64url') };

const openLog = ({ EVENTSTORE_URL: url }: Config, context: ServiceContext) => {
  const plain = observedStore(openEventStore({ url, log: context.log }), context);
  const stopping = new AbortController();
  const store = openRedactingStore(plain);
  const access = openAccess({ store: sharingReads(store), log: context.log, signal: stopping.signal });
  const pages = openStreamPages({ url });
  const close = async (): Promise<void> => {
    stopping.abort();
    await access.ended;
    await Promise.all([store.close(), pages.close()]);
  };
  return { store, access, pages: pages.stream, close };
};
type OpenLog = ReturnType<typeof openLog>;

const openKept = (values: Config, { log }: ServiceContext, pages: OpenLog['pages']) => {
  const blobs = openBlobs(values, `${values.PUBLIC_URL}/blobs`);
  // Nothing can be opened or kept without it: the process says so and ends, as with every fault of its configuration.
  if (isLeft(blobs)) throw new Error(blobs.left.detail);
  const stored = pieceBlobs(blobs.right);
  const owners = openDesk({ stored, log });
  // Another thread, so that nobody who looks at old versions of something large holds up what is to be kept.
  const desk = openDesk({ stored, log });
  const snapshots = openSnapshots({ stored, desk: owners, at: snapshotAt({ pages, desk }) });
  const close = async (): Promise<void> => void (await Promise.all([owners.close(), desk.close()]));
  return { blobs: blobs.right, shown: openPieceUrls(blobs.right), snapshots, desk, close };
};
type OpenKept = ReturnType<typeof openKept>;

/** They answer in any copy, whoever owns the document. */
const historyOf = ({ metrics, log, trace }: ServiceContext, opened: Omit<OpenLog & OpenKept, 'close'>) => {
  const store = sharingReads(opened.store);
  const figures = commandFigures(metrics);
  return historyRoutes({ ...{ ...opened, store, clock, random }, ...{ log, warm: openWarm(), figures, trace } });
};

const partOf = (found: Either<{ readonly detail: string }, unknown>): PartHealth =>
  isLeft(found) ? { ok: false, detail: found.left.detail } : { ok: true };

/** Without the leases the log still tells owners apart, and what is open is edited without object storage. */
const healthOf =
  ({ store, blobs, owners }: Pick<OpenLog, 'store'> & Pick<OpenKept, 'blobs'> & { owners: DocumentOwners }) =>
  async (): Promise<Health> => {
    const [head, lease, stored] = await Promise.all([store.head(), owners.addressOf('nobody'), blobs.check()]);
    const parts = { 'event-store': partOf(head), redis: partOf(lease), 'object-storage': partOf(stored) };
    return { ready: !isLeft(head), parts };
  };

const start = async (values: Config, context: ServiceContext) => {
  const { log, metrics, signal } = context;
  const { close: closeLog, ...opened } = openLog(values, context);
  const kept = openKept(values, context, opened.pages);
  const { owners, board } = openShared(values);
  const clientIds = openClientIds({ key: values.EDITOR_CLIENT_KEY, clock, random });
  const core = { ...opened, ...kept, owners, board, clientIds, clock, random, log };
  const owning = {
    ...core,
    figures: ownerFigures(metrics),
    settings: settingsFor(getHeapStatistics().heap_size_limit),
    processId: random.uuid(),
  };
  const documents = openDocuments(owning);
  const over = new AbortController();
  const watching = watchTakeovers({ store: opened.store, log, signal: over.signal }, documents);
  const callerKeys = callerKeysOf(values, context);
  const doors = openDoors({
    ...{ ...core, documents, callerKeys, signal: parted(documents, signal) },
    allowances: openAllowances(limits.rates),
    rights: openRevocationState(opened.store, context).rights,
    figures: sessionFigures(metrics),
  });
  const routes = [...doors.routes, ...historyOf(context, { ...opened, ...kept })];
  const health = healthOf({ store: opened.store, blobs: kept.blobs, owners });
  const close = async (): Promise<void> => {
    await documents.close();
    over.abort();
    await watching;
    await Promise.all([closeLog(), owners.close(), board.close(), kept.close()]);
    await kept.blobs.close();
  };
  return serve({ config: values, context, callerKeys, routes, upgrade: doors.upgrade, health, close });
};

const editor = service({ name: 'editor', config, start });

export { editor as service };

if (require.main === module) runProcess(editor);
