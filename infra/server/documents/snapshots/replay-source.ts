/** Finds what a version is replayed from: the newest snapshot that is not later, and the batches after it. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { DocumentKey } from '../../../../domain/editor/ids';
import { payloadCodecs } from '../../../../domain/editor/operation';
import type { CommittedBatch } from '../../../../domain/editor/operation-log/client-table';
import { logStream } from '../../../../domain/editor/operation-log/events';
import { currentSchemaVersion } from '../../../../domain/editor/schema-versions';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import type { EventStoreFault, StoredEvent } from '../../../ports/event-store';
import type { StreamReader } from '../../../ports/stream-pages';
import { decodeLogEvent, snapshotRecordedIn, type VersionRange, versionRangeOfBatch } from '../version-range';

type LogRead<Value> = Promise<Either<EventStoreFault, Value>>;

/** A stored event; the replay decodes it. */
export type StoredBatch = Pick<StoredEvent, 'type' | 'data'>;

export interface BaseSnapshot {
  readonly snapshot: Snapshot;
  /** The version whose scene it is. After a restore this differs from the snapshot's own version. */
  readonly version: number;
}

export interface ReplaySource {
  /** Undefined for an empty scene. */
  readonly base: BaseSnapshot | undefined;
  /** In order, everything after the base; the last batch may exceed the version. */
  readonly batches: readonly StoredBatch[];
}

export interface ReplaySourceQuery {
  readonly documentKey: DocumentKey;
  readonly version: number;
  /** Revision of the batch that contains the version. */
  readonly revision: number;
  /** Keys of snapshots that cannot be read. */
  readonly damagedKeys: ReadonlySet<string>;
}

const pageBytes = 1_048_576;
/** Page sizes of the backward read grow, because a snapshot is usually near. */
const firstPage = 32;
const maxPage = 512;
/** A snapshot's event follows a little after its version. */
const maxEventsAhead = 8;
const aheadBytes = 65_536;

/**
 * The snapshot of `ContentCopied` (revision 0) is used even if it is damaged: a copy has nothing earlier to replay
 * from, and the caller reports the damage.
 */
const usableBase = (stored: StoredEvent, { version, damagedKeys }: ReplaySourceQuery): BaseSnapshot | undefined => {
  const snapshot = snapshotRecordedIn(stored);
  if (snapshot === undefined || snapshot.version > version) return undefined;
  const isPassedOver = stored.revision > 0 && damagedKeys.has(snapshot.compressedSceneKey);
  return isPassedOver ? undefined : { snapshot, version: snapshot.version };
};

/** The snapshot that a restore names; undefined where the batch is no restore. */
export const snapshotOfRestore = (documentKey: DocumentKey, { operations }: CommittedBatch): Snapshot | undefined => {
  const payload = operations.length === 1 ? operations[0]?.payload : undefined;
  if (!payloadCodecs.restoreVersion.is(payload) || payload.snapshot === undefined) return undefined;
  const { manifestKey: compressedSceneKey, checksum } = payload.snapshot;
  const { version } = payload;
  const { documentId } = documentKey;
  return { documentId, version, schemaVersion: currentSchemaVersion, compressedSceneKey, checksum, assetRefs: [] };
};

/** A restore replaces the scene, so nothing before it is needed. */
const restoredBase = (
  stored: StoredEvent,
  range: VersionRange,
  { documentKey }: ReplaySourceQuery,
): BaseSnapshot | undefined => {
  const event = range.fromVersion === range.toVersion && isRestore(stored) ? decodeLogEvent(stored) : undefined;
  if (event?.type !== 'OperationsCommitted') return undefined;
  const snapshot = snapshotOfRestore(documentKey, event.data);
  return snapshot === undefined ? undefined : { snapshot, version: range.toVersion };
};

const isRestore = ({ data }: StoredEvent): boolean => {
  const { operations } = data as { readonly operations?: readonly { readonly type?: unknown }[] };
  return operations?.[0]?.type === 'restoreVersion';
};

const findBaseAhead = async (
  pages: StreamReader,
  stream: string,
  sought: ReplaySourceQuery,
): LogRead<BaseSnapshot | undefined> => {
  const page = { stream, from: sought.revision, direction: 'forwards', limit: maxEventsAhead } as const;
  const seen = await pages({ ...page, mostBytes: aheadBytes });
  if (isLeft(seen)) return seen;
  return right(seen.right.events.map((stored) => usableBase(stored, sought)).findLast((base) => base !== undefined));
};

/** Collects an event of the backward read; true if nothing earlier is needed. */
const collectEvent = (
  found: { base: BaseSnapshot | undefined; batches: StoredBatch[] },
  stored: StoredEvent,
  sought: ReplaySourceQuery,
) => {
  const range = versionRangeOfBatch(stored);
  if (range === undefined) {
    found.base ??= usableBase(stored, sought);
    return false;
  }
  if (found.base !== undefined && range.toVersion <= found.base.version) return true;
  const putBack = restoredBase(stored, range, sought);
  found.base ??= putBack;
  if (putBack !== undefined) return true;
  found.batches.push({ type: stored.type, data: stored.data });
  return false;
};

/**
 * Reads backwards from the version's batch to a snapshot, and past its event to operations that were committed while
 * it was made.
 */
export const findReplaySource = async (pages: StreamReader, sought: ReplaySourceQuery): LogRead<ReplaySource> => {
  const stream = logStream(sought.documentKey.tenant, sought.documentKey.documentId);
  const ahead = await findBaseAhead(pages, stream, sought);
  if (isLeft(ahead)) return ahead;
  const found = { base: ahead.right, batches: [] as StoredBatch[] };
  const result = (): Either<never, ReplaySource> => right({ base: found.base, batches: found.batches.reverse() });
  if (found.base?.version === sought.version) return result();
  for (let next = sought.revision, limit = firstPage; next >= 0; limit = Math.min(maxPage, limit * 2)) {
    const page = { stream, from: next, direction: 'backwards', limit, mostBytes: pageBytes } as const;
    const seen = await pages(page);
    if (isLeft(seen)) return seen;
    for (const stored of seen.right.events) if (collectEvent(found, stored, sought)) return result();
    const last = seen.right.events.at(-1);
    if (last === undefined) break;
    next = last.revision - 1;
  }
  return result();
};
