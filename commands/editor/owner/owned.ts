/** One document that this process owns, with everything that is under way in it. */
import type { ClientId } from '../../../domain/editor/ids';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import { type DocumentKey, logStream } from '../../../domain/editor/streams';
import type { Content } from './content';
import type { OwnerDeps } from './deps';
import type { LoadedDocument } from './load';
import { letGo, type Pending } from './pending';
import { openRights, type Rights } from './rights';
import { openRing, type Ring } from './ring';
import { openSeats, type Seats } from './seats';
import type { Told } from './told';
import type { EndReason } from './types';

export interface Owned {
  readonly deps: OwnerDeps;
  readonly place: DocumentKey;
  readonly stream: string;
  readonly epoch: number;
  readonly content: Content;
  readonly seats: Seats;
  readonly ring: Ring;
  readonly rights: Rights;
  /** In the log, and told. */
  committedVersion: number;
  readonly waiting: Pending[];
  readonly listeners: Set<(told: Told) => void>;
  readonly end: AbortController;
  /** Nothing more is taken in. */
  closing: boolean;
  /** The turn that is under way: there is one at most. */
  turn: Promise<void> | undefined;
  /** Kept, and not yet said in the log. */
  toRecord: Snapshot | undefined;
  taking: Promise<void> | undefined;
  /** No snapshot is tried before this. */
  restUntil: number;
  /** Batches of a client wait for those before them. */
  readonly preparing: Map<ClientId, Promise<unknown>>;
  /** The last that is to put a version back: the scene of one is held beside the present one, and of no more. */
  restoring: Promise<unknown>;
  /** By the monotonic clock. */
  usedAt: number;
}

export const ownedOf = (
  deps: OwnerDeps,
  place: DocumentKey,
  { epoch, loaded }: { readonly epoch: number; readonly loaded: LoadedDocument },
): Owned => {
  const { content, frames } = loaded;
  const ring = openRing(content.snapshot?.version ?? 0, deps.settings.ring);
  for (const frame of frames) ring.add(frame);
  return {
    deps,
    place,
    stream: logStream(place.tenant, place.documentId),
    epoch,
    content,
    seats: openSeats(() => content.clients),
    ring,
    rights: openRights({ about: () => deps.access.about(place), milliseconds: deps.settings.rightsMilliseconds }),
    committedVersion: content.version,
    waiting: [],
    listeners: new Set(),
    end: new AbortController(),
    closing: false,
    turn: undefined,
    toRecord: undefined,
    taking: undefined,
    restUntil: 0,
    preparing: new Map(),
    restoring: Promise.resolve(),
    usedAt: performance.now(),
  };
};

/** Nothing is put in order here any more; who waits is told to come back. What is being appended is still answered. */
export const endOwned = (owned: Owned, reason: EndReason): void => {
  if (owned.end.signal.aborted) return;
  owned.closing = true;
  owned.deps.figures.ended(reason);
  const { place, epoch, committedVersion } = owned;
  owned.deps.log.info({ ...place, epoch, committedVersion, reason }, 'a document was let go');
  owned.end.abort(reason);
  for (const { answer } of owned.waiting.splice(0)) answer(letGo('The document is being taken over; send it again.'));
  owned.listeners.clear();
};

export const isEnded = ({ end }: Owned): boolean => end.signal.aborted;
