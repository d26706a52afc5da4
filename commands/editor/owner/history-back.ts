/** A document's log from its end back to the newest snapshot that can be read. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type LogEvent, log, snapshotIn } from '../../../domain/editor/log/events';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import { fault } from '../../../domain/kernel/rejection';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { breathing } from './breath';
import type { OwnerDeps } from './deps';
import type { Unavailable } from './types';

export interface Back {
  /** The oldest first, all that came after the snapshot's version among them. */
  readonly events: readonly LogEvent[];
}

const pageEvents = 500;
const pageBytes = 4_194_304;

/** Answers whether it goes on from here; left when that cannot be told now. */
type IsBase = (snapshot: Snapshot) => Promise<Either<Unavailable, boolean>>;

const unreadable = ({ stream, revision, type }: StoredEvent, { log: lines }: OwnerDeps): Either<Unavailable, never> => {
  lines.error({ stream, revision, type }, 'an event of a document cannot be read');
  return left(fault('service-unavailable', 'The document cannot be read.'));
};

interface Sought {
  readonly stream: string;
  /** Inclusive. */
  readonly from: number;
  readonly isBase: IsBase;
}

const readPage = async ({ pages }: OwnerDeps, stream: string, from: number) => {
  const page = await pages({ stream, from, direction: 'backwards', limit: pageEvents, mostBytes: pageBytes });
  return isLeft(page) ? left(fault('service-unavailable', 'The log cannot be read right now.')) : page;
};

/** A base that is behind what was committed before it (a snapshot is recorded when it is done) needs events from before itself. */
const reachesBack = (event: LogEvent, base: Snapshot): boolean =>
  event.type === 'OperationsCommitted' && event.data.toVersion <= base.version;

export const readBack = async (
  deps: OwnerDeps,
  { stream, from, isBase }: Sought,
): Promise<Either<Unavailable, Back>> => {
  const backwards: LogEvent[] = [];
  const breathe = breathing();
  let base: Snapshot | undefined;
  for (let next = from; next >= 0; ) {
    const page = await readPage(deps, stream, next);
    if (isLeft(page)) return page;
    for (const stored of page.right.events) {
      const event = log.decode(stored.type, stored.data);
      if (isLeft(event)) return unreadable(stored, deps);
      if (base !== undefined && reachesBack(event.right, base)) return right({ events: backwards.reverse() });
      const snapshot = base === undefined ? snapshotIn(event.right) : undefined;
      const found = snapshot === undefined ? right(false) : await isBase(snapshot);
      if (isLeft(found)) return found;
      if (found.right) base = snapshot;
      backwards.push(event.right);
      next = stored.revision - 1;
      await breathe();
    }
    if (page.right.events.length === 0) break;
  }
  return right({ events: backwards.reverse() });
};
