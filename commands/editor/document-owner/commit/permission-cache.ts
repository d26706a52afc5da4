/**
 * Caches the document's access state for 100 ms, so most edits commit without a read. Routes that revoke a permission
 * answer after that age (`access/revocation-delay`). An edit that the cached state denies triggers a fresh read.
 */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { EventStoreFault } from '../../../../infra/ports/event-store';
import type { DocumentAccess } from '../../../../infra/server/documents/document-access';

export interface PermissionReading {
  readonly access: DocumentAccess;
  /** Number of the last batch that arrived before this reading began. */
  readonly coversUpTo: number;
  /** Whether later batches may also use it, if it allows them. False after a slow read. */
  readonly isFresh: boolean;
}

type AccessResult = Either<EventStoreFault, DocumentAccess>;

export interface PermissionCache {
  /** Returns the number of a batch that just arrived. */
  readonly nextNumber: () => number;
  /** Returns the cached reading if the first queued batch predates it or is allowed by it; otherwise reads again. */
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
  /** Maximum age, from the start of the read. */
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
  /** Under steady edits, refreshes the reading in the background before it expires. */
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
