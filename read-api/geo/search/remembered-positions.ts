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

/** By then the search that found the position old has its answer, which the read would delay. */
const laterMilliseconds = 25;

const runLater = (work: () => void): void => void setTimeout(work, laterMilliseconds).unref();

/** `now` in milliseconds, from any beginning. */
export const rememberPositions = (positions: ViewPositions, now: () => number, later = runLater): ViewPositions => {
  const remembered = new Map<string, RememberedPosition>();
  const due = new Set<string>();
  const read = async (view: NamedView): Promise<FoundPosition> => {
    const at = now();
    const found = await positions.current(view);
    // Faults, and views that are not built yet, are looked at again by the next search.
    if (isLeft(found) || found.right === undefined) remembered.delete(view.name);
    else remembered.set(view.name, { found, at });
    return found;
  };
  const readLater = (view: NamedView): void => {
    if (due.has(view.name)) return;
    due.add(view.name);
    later(() => {
      due.delete(view.name);
      void read(view);
    });
  };
  return {
    current: (view) => {
      const known = remembered.get(view.name);
      const age = known === undefined ? Number.POSITIVE_INFINITY : now() - known.at;
      if (known === undefined || age > usableMilliseconds) return read(view);
      if (age > freshMilliseconds) readLater(view);
      return Promise.resolve(known.found);
    },
    reached: positions.reached,
  };
};
