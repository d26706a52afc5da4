/**
 * Positions of views, remembered for a moment. A position is a lower bound of what a search finds, so an earlier one still is; reading it
 * for each search would be a third of a short one.
 */
import { isLeft } from 'fp-ts/Either';
import type { NamedView } from '../../../infra/ports/views/view-store';
import type { ViewPositions } from '../../kernel/read-your-writes';

type FoundPosition = Awaited<ReturnType<ViewPositions['current']>>;

interface RememberedPosition {
  readonly found: FoundPosition;
  readonly at: number;
}

/** Older ones are read again while the remembered one answers. */
const freshMilliseconds = 250;
/** Older ones do not answer: the store may have failed since. */
const usableMilliseconds = 2_000;

/** `now` in milliseconds, from any beginning. */
export const rememberPositions = (positions: ViewPositions, now: () => number): ViewPositions => {
  const remembered = new Map<string, RememberedPosition>();
  const read = async (view: NamedView): Promise<FoundPosition> => {
    const at = now();
    const found = await positions.current(view);
    // Faults, and views that are not built yet, are looked at again by the next search.
    if (isLeft(found) || found.right === undefined) remembered.delete(view.name);
    else remembered.set(view.name, { found, at });
    return found;
  };
  return {
    current: (view) => {
      const known = remembered.get(view.name);
      const age = known === undefined ? Number.POSITIVE_INFINITY : now() - known.at;
      if (known === undefined || age > usableMilliseconds) return read(view);
      // `positions` shares the read among all that ask for it.
      if (age > freshMilliseconds) void read(view);
      return Promise.resolve(known.found);
    },
    reached: positions.reached,
  };
};
