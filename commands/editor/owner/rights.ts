/**
 * Who may do what, as of a reading that is not old: an edit need not wait for one of its own. Whoever takes a right away is answered
 * only when nobody goes by what was read before that (`documents/taking-away`). Somebody who seems to have none is read about once more.
 */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { DocumentAccess } from '../../../infra/documents/document-access';
import type { EventStoreFault } from '../../../infra/ports/event-store';

export interface Reading {
  readonly standing: DocumentAccess;
  /** Of what came, the last that it was begun after. */
  readonly upTo: number;
  /** What came later is allowed by it, too: not by one that took long to read. */
  readonly isYoung: boolean;
}

type Found = Either<EventStoreFault, DocumentAccess>;

export interface Rights {
  /** Something came: answers its number. */
  readonly arrived: () => number;
  /** One that is as good as a reading of one's own where the first that waits is allowed by it, and else is one. */
  readonly take: (
    first: number,
    allows: (standing: DocumentAccess) => boolean,
  ) => Promise<Either<EventStoreFault, Reading>>;
}

interface Begun {
  readonly at: number;
  readonly upTo: number;
  readonly found: Promise<Found>;
}

export interface RightsOptions {
  readonly about: () => Promise<Found>;
  /** So long a reading counts, from its beginning. */
  readonly milliseconds: number;
  readonly now?: () => number;
}

export const openRights = ({ about, milliseconds, now = () => performance.now() }: RightsOptions): Rights => {
  let count = 0;
  let last: Begun | undefined;
  let isReadingAhead = false;
  const isYounger = ({ at }: Begun, than: number): boolean => now() - at < than;
  const begin = (): Begun => ({ at: now(), upTo: count, found: about() });
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
  const anew = (): Begun => {
    last = begin();
    return last;
  };
  const resolved = async (begun: Begun): Promise<Either<EventStoreFault, Reading>> => {
    const found = await begun.found;
    if (isLeft(found)) return found;
    return right({ standing: found.right, upTo: begun.upTo, isYoung: isYounger(begun, milliseconds) });
  };
  return {
    arrived: () => {
      count += 1;
      return count;
    },
    take: async (first, allows) => {
      const known = last;
      if (known === undefined || !isYounger(known, milliseconds)) return resolved(anew());
      if (!isReadingAhead && !isYounger(known, milliseconds / 2)) readAhead();
      const reading = await resolved(known);
      if (isLeft(reading)) return resolved(anew());
      const { standing, upTo, isYoung } = reading.right;
      return first <= upTo || (isYoung && allows(standing)) ? reading : resolved(anew());
    },
  };
};
