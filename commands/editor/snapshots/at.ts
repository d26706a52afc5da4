/** A snapshot of any version; what was made once is known for a while, as no version ever changes. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import { type DocumentKey, logStream } from '../../../domain/editor/streams';
import { reject } from '../../../domain/kernel/rejection';
import { snapshotRecordedIn } from '../../../infra/documents/version-range';
import { findFirstAfter } from '../../../infra/documents/version-search';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import type { StreamReader } from '../../../infra/ports/stream-pages';
import type { SnapshotStore } from '../owner/needs';
import type { Desk } from './desk';
import { groundOf } from './ground';

export interface AtDeps {
  readonly pages: StreamReader;
  readonly desk: Pick<Desk, 'ask'>;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

type At = ReturnType<SnapshotStore['at']>;
type Use = NonNullable<Parameters<SnapshotStore['at']>[2]>;
type Read<Value> = Promise<Either<EventStoreFault, Value>>;

const mostKept = 1_000;
/** Well before what is stored for it is removed. */
const temporaryMilliseconds = 12 * 3_600_000;

const neverThere = reject('version-unknown', 'The document never had this version.');

/** With nothing before it; of a copy, what was copied. */
const firstOf = async ({ pages }: AtDeps, place: DocumentKey): Read<Snapshot | undefined> => {
  const stream = logStream(place.tenant, place.documentId);
  const first = await pages({ stream, direction: 'forwards', limit: 1, mostBytes: 1 });
  if (isLeft(first)) return first;
  const [stored] = first.right.events;
  return right(stored === undefined || stored.revision > 0 ? undefined : snapshotRecordedIn(stored));
};

const beginning = async (deps: AtDeps, place: DocumentKey, [version, isTemporary]: readonly [number, boolean]): At => {
  const copied = await firstOf(deps, place);
  if (isLeft(copied)) return copied;
  if (copied.right !== undefined) return copied.right.version === version ? right(copied.right) : neverThere;
  if (version > 0) return neverThere;
  const { tenant, documentId } = place;
  return deps.desk.ask(tenant, { kind: 'replay', replaying: { documentId, version, batches: [], isTemporary } });
};

/** A damaged snapshot is passed over for an earlier one. */
interface Sought {
  readonly version: number;
  readonly revision: number;
  readonly isTemporary: boolean;
}

const made = async (deps: AtDeps, place: DocumentKey, { version, revision, isTemporary }: Sought): At => {
  const { tenant, documentId } = place;
  const spoilt = new Set<string>();
  for (;;) {
    const ground = await groundOf(deps.pages, { place, version, revision, spoilt });
    if (isLeft(ground)) return ground;
    const { base, batches } = ground.right;
    const replaying = { documentId, version, batches, isTemporary, ...(base === undefined ? {} : { base }) };
    const answer = await deps.desk.ask(tenant, { kind: 'replay', replaying });
    if (!isLeft(answer) || answer.left.code !== 'snapshot-damaged' || base === undefined) return answer;
    const { compressedSceneKey: key } = base.snapshot;
    if (spoilt.has(key)) return answer;
    spoilt.add(key);
  }
};

const find = async (deps: AtDeps, place: DocumentKey, [version, use]: readonly [number, Use]): At => {
  const isTemporary = use === 'temporary';
  if (version === 0) return beginning(deps, place, [version, isTemporary]);
  const stream = logStream(place.tenant, place.documentId);
  const found = await findFirstAfter(deps.pages, stream, version - 1);
  if (isLeft(found)) return found;
  const { event } = found.right;
  if (event === undefined) return neverThere;
  // What was copied has versions before its first batch: none but the one that was copied.
  if (event.fromVersion > version) return beginning(deps, place, [version, isTemporary]);
  return made(deps, place, { version, revision: event.revision, isTemporary });
};

interface Kept {
  readonly answer: At;
  readonly until: number;
}

export const snapshotAt = (deps: AtDeps): SnapshotStore['at'] => {
  const { now = () => performance.now() } = deps;
  const kept = new Map<string, Kept>();
  const foundNow = (place: DocumentKey, [version, use]: readonly [number, Use]): Kept => {
    const until = use === 'temporary' ? now() + temporaryMilliseconds : Number.POSITIVE_INFINITY;
    return { answer: find(deps, place, [version, use]), until };
  };
  return async (place, version, use = 'lasting') => {
    const key = `${place.tenant} ${place.documentId} ${version} ${use}`;
    const known = kept.get(key);
    const asked = known !== undefined && now() < known.until ? known : foundNow(place, [version, use]);
    kept.delete(key);
    kept.set(key, asked);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    const answer = await asked.answer;
    if (isLeft(answer) && kept.get(key) === asked) kept.delete(key);
    return answer;
  };
};
