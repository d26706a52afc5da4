/** A copy of the editor: the real owner of documents and the real sessions, with what it is built on under a test's hand. */

import { left } from 'fp-ts/Either';
import { openClientIds } from '../../../../commands/editor/document-owner/client-ids';
import type { DocumentRegistry } from '../../../../commands/editor/document-owner/document-handle';
import { noMetrics } from '../../../../commands/editor/document-owner/metrics';
import { openDocumentRegistry } from '../../../../commands/editor/document-owner/registry/document-registry';
import { watchTakeovers } from '../../../../commands/editor/document-owner/registry/takeover-watch';
import { ownerSettings } from '../../../../commands/editor/document-owner/settings';
import type { SnapshotStore } from '../../../../commands/editor/ports';
import { contentRoutes } from '../../../../commands/editor/sessions/http/routes';
import { sessionMetrics } from '../../../../commands/editor/sessions/metrics';
import { createRateLimiter } from '../../../../commands/editor/sessions/rate-limits';
import { openRooms } from '../../../../commands/editor/sessions/rooms';
import { editorSocket } from '../../../../commands/editor/sessions/socket-endpoint';
import { limits } from '../../../../domain/editor/limits';
import { fault } from '../../../../domain/kernel/rejection';
import { streamPagesOf } from '../../../../infra/adapters/eventstore/read/stream-pages';
import { openMemoryDocumentLeases } from '../../../../infra/adapters/redis/editor/memory-document-leases';
import type { DocumentLeases } from '../../../../infra/ports/editor/document-leases';
import type { BoundRoute } from '../../../../infra/server/http/routing/route';
import { createRevocationWatch } from '../../../../infra/server/http/streaming/revocation-watch';
import type { CallerSocketRoute } from '../../../../infra/server/ws/endpoint';
import { callerKeys } from '../../../support/http/internal-keys';
import { noopMetrics } from '../../../support/waiting/recording-log';
import { openProcessSnapshots } from './snapshots';
import { type Life, living, openLog } from './unreliable-log';
import type { World } from './world';

export interface Process extends Life {
  readonly address: string;
  readonly documents: DocumentRegistry;
  readonly route: CallerSocketRoute;
  readonly requests: readonly BoundRoute[];
  readonly snapshots: SnapshotStore;
  /** Aborted when the process takes no more sessions. */
  readonly draining: AbortController;
  /** What ends with it. */
  readonly ends: Set<() => void>;
}

const nowhere = left(fault('owners-unavailable', 'Away.'));

const ownersOf = ({ leases }: World, life: Life, address: string): DocumentLeases => {
  const real = openMemoryDocumentLeases(leases, address);
  return {
    acquire: living(life, async (...parameters) => (life.isForgotten ? nowhere : real.acquire(...parameters))),
    renew: living(life, async (...parameters) => (life.isForgotten ? nowhere : real.renew(...parameters))),
    holderAddress: living(life, async (...parameters) =>
      life.isForgotten ? nowhere : real.holderAddress(...parameters),
    ),
    release: living(life, async (...parameters) => (life.isForgotten ? nowhere : real.release(...parameters))),
    close: real.close,
  };
};

/** Everything that usually takes thousands of operations or minutes happens all the time. */
const settingsOf = ({ below }: World) => ({
  ...ownerSettings,
  leaseMilliseconds: 600,
  renewalMilliseconds: 150,
  idleMilliseconds: 900,
  reopenBackoff: { pauseMilliseconds: 20, longestMilliseconds: 200 },
  backlog: { operations: 5 + below(40), bytes: 20_000 + below(50_000) },
  append: { bytes: 30_000, operations: 5 + below(30), pauseMilliseconds: 5, retryMilliseconds: below(2) * 400 + 20 },
  snapshot: {
    operations: 3 + below(30),
    bytes: 1e6,
    minOperations: 1 + below(8),
    maxBytes: 100_000,
    pauseMilliseconds: 100,
  },
});

const randomOf = ({ below }: World) => {
  const hex = (length: number): string => Array.from({ length }, () => below(16).toString(16)).join('');
  return {
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
    token: (bytes: number) => Buffer.from(hex(bytes * 2), 'hex').toString('base64url'),
  };
};

export const startProcess = (world: World, address: string): Process => {
  const life: Life = { isDead: false, isForgotten: false, isCut: false };
  const [store, clock, log] = [openLog(world, life), { now: world.now }, world.log];
  const pages = streamPagesOf(store);
  const { snapshots, pieceUrls } = openProcessSnapshots(world, life, pages);
  const { access } = world.roles;
  const clientIds = openClientIds({ keys: ['e'.repeat(43)], clock, random: randomOf(world) });
  const leases = ownersOf(world, life, address);
  const documents = openDocumentRegistry({
    store,
    pages,
    access,
    clock,
    log,
    leases,
    snapshots,
    random: randomOf(world),
    clientIds,
    metrics: noMetrics,
    settings: settingsOf(world),
    processId: address,
  });
  const draining = new AbortController();
  const over = new AbortController();
  void watchTakeovers({ store, log, signal: over.signal }, documents);
  const dependencies = {
    documents,
    access,
    pieceUrls,
    clientIds,
    clock,
    log,
    presenceStore: world.board,
    rights: createRevocationWatch(() => false),
    rateLimiter: createRateLimiter(limits.rates),
    metrics: sessionMetrics(noopMetrics),
    callerKeys,
    signal: draining.signal,
    random: randomOf(world),
  };
  const ends = new Set<() => void>([() => over.abort()]);
  const rooms = openRooms(dependencies);
  const [route, requests] = [editorSocket(dependencies, rooms), contentRoutes({ ...dependencies, rooms, leases })];
  return Object.assign(life, { address, documents, route, requests, snapshots, draining, ends });
};

export const kill = (process: Process): void => {
  process.isDead = true;
  for (const end of [...process.ends]) end();
};
