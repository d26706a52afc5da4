/** A copy of the editor: the real owner of documents and the real sessions, with what it is built on under a test's hand. */

import { left } from 'fp-ts/Either';
import { openClientIds } from '../../../commands/editor/owner/client-ids';
import { openDocuments } from '../../../commands/editor/owner/documents';
import { noFigures } from '../../../commands/editor/owner/figures';
import type { SnapshotStore } from '../../../commands/editor/owner/needs';
import { ownerSettings } from '../../../commands/editor/owner/settings';
import { watchTakeovers } from '../../../commands/editor/owner/takeovers';
import type { Documents } from '../../../commands/editor/owner/types';
import { openAllowances } from '../../../commands/editor/sessions/allowance';
import { sessionFigures } from '../../../commands/editor/sessions/figures';
import { contentRoutes } from '../../../commands/editor/sessions/http/routes';
import { editorSocket } from '../../../commands/editor/sessions/socket';
import { limits } from '../../../domain/editor/limits';
import { fault } from '../../../domain/kernel/rejection';
import { streamPagesOf } from '../../../infra/eventstore/stream-pages';
import type { BoundRoute } from '../../../infra/http/route';
import { openRights } from '../../../infra/http/stream-rights';
import type { DocumentOwners } from '../../../infra/ports/document-owners';
import { openMemoryDocumentOwners } from '../../../infra/redis/memory-document-owners';
import type { SocketRoute } from '../../../infra/ws/door';
import { callerKeys } from '../../support/internal-keys';
import { quietMetrics } from '../../support/quiet';
import { type Life, living, openLog } from './log';
import { openProcessSnapshots } from './snapshots';
import type { World } from './world';

export interface Process extends Life {
  readonly address: string;
  readonly documents: Documents;
  readonly route: SocketRoute;
  readonly requests: readonly BoundRoute[];
  readonly kept: SnapshotStore;
  /** Nobody is to come any more. */
  readonly draining: AbortController;
  /** What ends with it. */
  readonly ends: Set<() => void>;
}

const nowhere = left(fault('owners-unavailable', 'Away.'));

const ownersOf = ({ leases }: World, life: Life, address: string): DocumentOwners => {
  const real = openMemoryDocumentOwners(leases, address);
  return {
    acquire: living(life, async (...asked) => (life.isForgotten ? nowhere : real.acquire(...asked))),
    renew: living(life, async (...asked) => (life.isForgotten ? nowhere : real.renew(...asked))),
    addressOf: living(life, async (...asked) => (life.isForgotten ? nowhere : real.addressOf(...asked))),
    release: living(life, async (...asked) => (life.isForgotten ? nowhere : real.release(...asked))),
    close: real.close,
  };
};

/** Everything that usually takes thousands of operations or minutes happens all the time. */
const settingsOf = ({ below }: World) => ({
  ...ownerSettings,
  ...{ leaseMilliseconds: 600, renewalMilliseconds: 150, idleMilliseconds: 900 },
  openAgain: { pauseMilliseconds: 20, longestMilliseconds: 200 },
  ring: { operations: 5 + below(40), bytes: 20_000 + below(50_000) },
  append: {
    ...{ bytes: 30_000, operations: 5 + below(30) },
    ...{ pauseMilliseconds: 5, patienceMilliseconds: below(2) * 400 + 20 },
  },
  snapshot: {
    ...{ operations: 3 + below(30), bytes: 1e6, leastOperations: 1 + below(8) },
    ...{ mostBytes: 100_000, pauseMilliseconds: 100 },
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
  const { kept, shown } = openProcessSnapshots(world, life, pages);
  const { access } = world.roles;
  const clientIds = openClientIds({ key: 'e'.repeat(43), clock, random: randomOf(world) });
  const documents = openDocuments({
    ...{ store, pages, access, clock, log, owners: ownersOf(world, life, address), snapshots: kept },
    ...{ random: randomOf(world), clientIds, figures: noFigures, settings: settingsOf(world), processId: address },
  });
  const draining = new AbortController();
  const over = new AbortController();
  void watchTakeovers({ store, log, signal: over.signal }, documents);
  const doors = {
    ...{ documents, access, shown, clientIds, clock, log, board: world.board, rights: openRights(() => false) },
    ...{ allowances: openAllowances(limits.rates), figures: sessionFigures(quietMetrics), callerKeys },
    ...{ signal: draining.signal, random: randomOf(world) },
  };
  const ends = new Set<() => void>([() => over.abort()]);
  const [route, requests] = [editorSocket(doors), contentRoutes(doors)];
  return Object.assign(life, { address, documents, route, requests, kept, draining, ends });
};

export const kill = (process: Process): void => {
  process.isDead = true;
  for (const end of [...process.ends]) end();
};
