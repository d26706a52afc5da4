/** What a version is made of: the newest snapshot that is not later, and what was committed from there on. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import { type DocumentKey, logStream } from '../../../domain/editor/streams';
import {
  decodeLogEvent,
  snapshotRecordedIn,
  type VersionRange,
  versionRangeOfBatch,
} from '../../../infra/documents/version-range';
import type { EventStoreFault, StoredEvent } from '../../../infra/ports/event-store';
import type { StreamReader } from '../../../infra/ports/stream-pages';
import { snapshotNamedBy } from '../owner/put-back';

type Read<Value> = Promise<Either<EventStoreFault, Value>>;

/** An event as it lies in the log: whoever does it decodes it. */
export type StoredBatch = Pick<StoredEvent, 'type' | 'data'>;

export interface Base {
  readonly snapshot: Snapshot;
  /** Whose scene it is here: of a version that was put back, not the one that it had first. */
  readonly version: number;
}

export interface Ground {
  /** Undefined: an empty scene. */
  readonly base: Base | undefined;
  /** In order, all that came after the base; the last may go beyond the version. */
  readonly batches: readonly StoredBatch[];
}

export interface Sought {
  readonly place: DocumentKey;
  readonly version: number;
  /** Of the batch that the version is in. */
  readonly revision: number;
  /** Keys of snapshots that cannot be read. */
  readonly spoilt: ReadonlySet<string>;
}

const pageBytes = 1_048_576;
/** Pages back grow: a snapshot is rarely far. */
const firstPage = 32;
const largestPage = 512;
/** Snapshots are recorded a little after what they are of. */
const lookedAhead = 8;
const aheadBytes = 65_536;

/** Without what was copied there is nothing to go on from, be it spoilt. */
const usable = (stored: StoredEvent, { version, spoilt }: Sought): Base | undefined => {
  const snapshot = snapshotRecordedIn(stored);
  if (snapshot === undefined || snapshot.version > version) return undefined;
  const isPassedOver = stored.revision > 0 && spoilt.has(snapshot.compressedSceneKey);
  return isPassedOver ? undefined : { snapshot, version: snapshot.version };
};

/** Whatever came before a version that was put back has no part in what came after it. */
const putBackIn = (stored: StoredEvent, span: VersionRange, { place }: Sought): Base | undefined => {
  const event = span.fromVersion === span.toVersion && isRestore(stored) ? decodeLogEvent(stored) : undefined;
  if (event?.type !== 'OperationsCommitted') return undefined;
  const snapshot = snapshotNamedBy(place, event.data);
  return snapshot === undefined ? undefined : { snapshot, version: span.toVersion };
};

const isRestore = ({ data }: StoredEvent): boolean => {
  const { operations } = data as { readonly operations?: readonly { readonly type?: unknown }[] };
  return operations?.[0]?.type === 'restoreVersion';
};

const aheadOf = async (pages: StreamReader, stream: string, sought: Sought): Read<Base | undefined> => {
  const page = { stream, from: sought.revision, direction: 'forwards', limit: lookedAhead } as const;
  const seen = await pages({ ...page, mostBytes: aheadBytes });
  if (isLeft(seen)) return seen;
  return right(seen.right.events.map((stored) => usable(stored, sought)).findLast((base) => base !== undefined));
};

/** From a page that goes back; true when nothing further back is needed. */
const gather = (found: { base: Base | undefined; batches: StoredBatch[] }, stored: StoredEvent, sought: Sought) => {
  const span = versionRangeOfBatch(stored);
  if (span === undefined) {
    found.base ??= usable(stored, sought);
    return false;
  }
  if (found.base !== undefined && span.toVersion <= found.base.version) return true;
  const putBack = putBackIn(stored, span, sought);
  found.base ??= putBack;
  if (putBack !== undefined) return true;
  found.batches.push({ type: stored.type, data: stored.data });
  return false;
};

/** Back from a batch to a snapshot, and past it for what was committed while that was made. */
export const groundOf = async (pages: StreamReader, sought: Sought): Read<Ground> => {
  const stream = logStream(sought.place.tenant, sought.place.documentId);
  const ahead = await aheadOf(pages, stream, sought);
  if (isLeft(ahead)) return ahead;
  const found = { base: ahead.right, batches: [] as StoredBatch[] };
  const ground = (): Either<never, Ground> => right({ base: found.base, batches: found.batches.reverse() });
  if (found.base?.version === sought.version) return ground();
  for (let next = sought.revision, limit = firstPage; next >= 0; limit = Math.min(largestPage, limit * 2)) {
    const page = { stream, from: next, direction: 'backwards', limit, mostBytes: pageBytes } as const;
    const seen = await pages(page);
    if (isLeft(seen)) return seen;
    for (const stored of seen.right.events) if (gather(found, stored, sought)) return ground();
    const last = seen.right.events.at(-1);
    if (last === undefined) break;
    next = last.revision - 1;
  }
  return ground();
};
