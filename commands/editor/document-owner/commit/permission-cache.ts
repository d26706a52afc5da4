/**
 * Who may do what, as of a reading that is not old: an edit need not wait for one of its own. Whoever takes a right away is answered
 * only when nobody goes by what was read before that (`documents/taking-away`). Somebody who seems to have none is read about once more.
 */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { DocumentAccess } from '../../../../infra/documents/document-access';
import type { EventStoreFault } from '../../../../infra/ports/event-store';

export interface PermissionReading {
  readonly access: DocumentAccess;
  /** Of what came, the last that it was begun after. */
  readonly coversUpTo: number;
  /** What came later is allowed by it, too: not by one that took long to read. */
  readonly isFresh: boolean;
}

type AccessResult = Either<EventStoreFault, DocumentAccess>;

export interface PermissionCache {
  /** Something came: answers its number. */
  readonly nextNumber: () => number;
  /** One that is as good as a reading of one's own where the first that waits is allowed by it, and else is one. */
  readonly read: (
    first: number,
    allows: (access: DocumentAccess) => boolean,
  ) => Promise<Either<EventStoreFault, PermissionReading>>;
}

interface PendingReading {
  readonly at: number;
  readonly upTo: number;
  readonly found: Promise<AccessResult>;
}

export interface PermissionCacheOptions {
  readonly read: () => Promise<AccessResult>;
  /** So long a reading counts, from its beginning. */
  readonly milliseconds: number;
  readonly now?: () => number;
}

export const createPermissionCache = ({
  read,
  milliseconds,
  now = () => performance.now(),
}: PermissionCacheOptions): PermissionCache => {
  let count = 0;
  let last: PendingReading | undefined;
  let isReadingAhead = false;
  const isYounger = ({ at }: PendingReading, than: number): boolean => now() - at < than;
  const begin = (): PendingReading => ({ at: now(), upTo: count, found: read() });
  /** What is edited steadily is read about beside it, before the last reading is too old. */
  const readAhead = (): void => {
    const begun = begin();
    isReadingAhead = true;
    const over = (): void => {
      isReadingAhead = false;
    };
    begun.found.then((found) => {
      over();
      if (!isLeft(found) && (last === undefined || last.at < begun.at)) last = begun;
    }, over);
  };
  const readAgain = (): PendingReading => {
    last = begin();
    return last;
  };
  const resolved = async (begun: PendingReading): Promise<Either<EventStoreFault, PermissionReading>> => {
    const found = await begun.found;
    if (isLeft(found)) return found;
    return right({ access: found.right, coversUpTo: begun.upTo, isFresh: isYounger(begun, milliseconds) });
  };
  return {
    nextNumber: () => {
      count += 1;
      return count;
    },
    read: async (first, allows) => {
      const known = last;
      if (known === undefined || !isYounger(known, milliseconds)) return resolved(readAgain());
      if (!isReadingAhead && !isYounger(known, milliseconds / 2)) readAhead();
      const reading = await resolved(known);
      if (isLeft(reading)) return resolved(readAgain());
      const { access, coversUpTo, isFresh } = reading.right;
      return first <= coversUpTo || (isFresh && allows(access)) ? reading : resolved(readAgain());
    },
  };
};
