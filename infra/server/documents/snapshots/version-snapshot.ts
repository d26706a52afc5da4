/** Returns the snapshot of any version. Results are cached, because a version never changes. */

import { type Either, isLeft, right } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import type { DocumentKey } from '../../../../domain/editor/ids';
import { logStream } from '../../../../domain/editor/operation-log/events';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import { type Rejection, reject } from '../../../../domain/kernel/rejection';
import type { EventStoreFault } from '../../../ports/event-store';
import type { StreamReader } from '../../../ports/stream-pages';
import type { SnapshotFault } from '../piece-blobs';
import { snapshotRecordedIn } from '../version-range';
import { findFirstAfter } from '../version-search';
import { findReplaySource } from './replay-source';
import type { SnapshotWorker } from './snapshot-worker';

/**
 * The snapshot of any earlier version; if none was stored, it is made from an earlier snapshot and the log. `temporary`: its objects
 * are deleted after a day, so no event may refer to them.
 */
export type VersionSnapshots = (
  documentKey: DocumentKey,
  version: number,
  use?: Retention,
) => Promise<Either<SnapshotFault | EventStoreFault | Rejection<'version-unknown'>, Snapshot>>;

export interface VersionSnapshotDeps {
  readonly pages: StreamReader;
  readonly worker: Pick<SnapshotWorker, 'run'>;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

type VersionSnapshotResult = ReturnType<VersionSnapshots>;
type Retention = 'lasting' | 'temporary';
type LogRead<Value> = Promise<Either<EventStoreFault, Value>>;

const maxCached = 1_000;
/** Shorter than the lifetime of temporary objects. */
const temporaryMilliseconds = 12 * 3_600_000;

const versionUnknown = reject('version-unknown', 'The document never had this version.');

/** The copied snapshot of a duplicated document; undefined for others. */
const copiedSnapshot = async (
  { pages }: VersionSnapshotDeps,
  documentKey: DocumentKey,
): LogRead<Snapshot | undefined> => {
  const stream = logStream(documentKey.tenant, documentKey.documentId);
  const first = await pages({ stream, direction: 'forwards', limit: 1, mostBytes: 1 });
  if (isLeft(first)) return first;
  const [stored] = first.right.events;
  return right(stored === undefined || stored.revision > 0 ? undefined : snapshotRecordedIn(stored));
};

interface VersionQuery {
  readonly version: number;
  readonly revision: number;
  readonly isTemporary: boolean;
}

const initialSnapshot = async (
  deps: VersionSnapshotDeps,
  documentKey: DocumentKey,
  { version, isTemporary }: Pick<VersionQuery, 'version' | 'isTemporary'>,
): VersionSnapshotResult => {
  const copied = await copiedSnapshot(deps, documentKey);
  if (isLeft(copied)) return copied;
  if (copied.right !== undefined) return copied.right.version === version ? right(copied.right) : versionUnknown;
  if (version > 0) return versionUnknown;
  const { tenant, documentId } = documentKey;
  return deps.worker.run(tenant, { kind: 'replay', input: { documentId, version, batches: [], isTemporary } });
};

const replayVersion = async (
  deps: VersionSnapshotDeps,
  documentKey: DocumentKey,
  { version, revision, isTemporary }: VersionQuery,
): VersionSnapshotResult => {
  const { tenant, documentId } = documentKey;
  const damagedKeys = new Set<string>();
  for (;;) {
    const source = await findReplaySource(deps.pages, {
      documentKey,
      version,
      revision,
      damagedKeys,
    });
    if (isLeft(source)) return source;
    const { base, batches } = source.right;
    const input = { documentId, version, batches, isTemporary, ...(base === undefined ? {} : { base }) };
    const answer = await deps.worker.run(tenant, { kind: 'replay', input });
    if (!isLeft(answer) || answer.left.code !== 'snapshot-damaged' || base === undefined) return answer;
    const { compressedSceneKey: key } = base.snapshot;
    if (damagedKeys.has(key)) return answer;
    damagedKeys.add(key);
  }
};

interface RetainedVersion {
  readonly version: number;
  readonly retention: Retention;
}

const findVersion = async (
  deps: VersionSnapshotDeps,
  documentKey: DocumentKey,
  { version, retention }: RetainedVersion,
): VersionSnapshotResult => {
  const isTemporary = retention === 'temporary';
  if (version === 0) return initialSnapshot(deps, documentKey, { version, isTemporary });
  const stream = logStream(documentKey.tenant, documentKey.documentId);
  const found = await findFirstAfter(deps.pages, stream, version - 1);
  if (isLeft(found)) return found;
  const { event } = found.right;
  if (event === undefined) return versionUnknown;
  // A copy has no versions before its first batch, except the copied one.
  if (event.fromVersion > version) return initialSnapshot(deps, documentKey, { version, isTemporary });
  return replayVersion(deps, documentKey, { version, revision: event.revision, isTemporary });
};

interface CachedVersion {
  readonly answer: VersionSnapshotResult;
  readonly until: number;
}

export const openVersionSnapshots = (deps: VersionSnapshotDeps): VersionSnapshots => {
  const { now = () => performance.now() } = deps;
  const cache = new LRUCache<string, CachedVersion>({ max: maxCached });
  const lookUp = (documentKey: DocumentKey, request: RetainedVersion): CachedVersion => {
    const until = request.retention === 'temporary' ? now() + temporaryMilliseconds : Number.POSITIVE_INFINITY;
    return { answer: findVersion(deps, documentKey, request), until };
  };
  return async (documentKey, version, retention = 'lasting') => {
    const key = `${documentKey.tenant} ${documentKey.documentId} ${version} ${retention}`;
    const cached = cache.get(key);
    const isFresh = cached !== undefined && now() < cached.until;
    const entry = isFresh ? cached : lookUp(documentKey, { version, retention });
    if (!isFresh) cache.set(key, entry);
    const answer = await entry.answer;
    if (isLeft(answer) && cache.get(key) === entry) cache.delete(key);
    return answer;
  };
};
