/** Read-your-writes: a query that names a minimum position or revision waits for it a moment, or fails. One poll per view serves all waiting queries. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { InputFault } from '../../domain/kernel/codec';
import type { NamedView, ViewFault, ViewReader } from '../../infra/ports/views/view-store';
import { invalidInput, type Problem, problem, problemOf } from '../../infra/server/http/problem';

type Headers = { readonly [name: string]: string | undefined };

/** The minimum position or revision that the caller has seen. */
export interface MinimumVersion {
  readonly position: bigint | undefined;
  readonly revision: number | undefined;
}

const maxPosition = 2n ** 64n - 1n;

/** For the documentation: positions up to 2^64 - 1, as far as a pattern can express that. */
export const positionPattern = '^(?:[0-9]{1,19}|1[0-7][0-9]{18})$';
export const revisionPattern = '^(?:(?:W/)?"[0-9]{1,15}"|[0-9]{1,15})$';

export const parsePosition = (value: string): bigint | undefined => {
  const position = /^\d{1,20}$/.test(value) ? BigInt(value) : undefined;
  return position !== undefined && position <= maxPosition ? position : undefined;
};

/** As a command's `ETag` gives it, or the bare number. */
const parseRevision = (value: string): number | undefined => {
  const [, tagged, bare] = /^(?:(?:W\/)?"(\d{1,15})"|(\d{1,15}))$/.exec(value.trim()) ?? [];
  const found = tagged ?? bare;
  return found === undefined ? undefined : Number(found);
};

const readHeader = <A>(
  value: string | undefined,
  read: (value: string) => A | undefined,
): A | undefined | 'malformed' => (value === undefined ? undefined : (read(value) ?? 'malformed'));

export const parseMinimumVersion = (
  headers: Headers,
  { revisions }: { readonly revisions: boolean },
): Either<Problem, MinimumVersion> => {
  const position = readHeader(headers['min-position'], parsePosition);
  const revision = readHeader(headers['if-min-revision'], parseRevision);
  const faults: InputFault[] = [];
  if (position === 'malformed')
    faults.push({ pointer: '/headers/min-position', expected: 'a position: decimal digits' });
  if (revision === 'malformed')
    faults.push({ pointer: '/headers/if-min-revision', expected: 'a revision: decimal digits, or an ETag' });
  else if (revision !== undefined && !revisions)
    faults.push({ pointer: '/headers/if-min-revision', expected: 'omitted: a page has no revision; use Min-Position' });
  if (position === 'malformed' || revision === 'malformed' || faults.length > 0) return left(invalidInput(faults));
  return right({ position, revision });
};

const notVisible = (detail: string): Either<Problem, never> => left(problem('not-yet-visible', detail));

export const notYet = notVisible('The read model has not reached the requested position or revision; try again.');

export interface VisibilityRequest {
  readonly view: NamedView;
  readonly position: bigint | undefined;
  readonly signal: AbortSignal;
}

/** The view's position, which is the wanted one or later; null when no event has been applied yet. */
export const waitUntilVisible = async (
  positions: ViewPositions,
  sight: VisibilityRequest,
): Promise<Either<Problem, bigint | null>> => {
  const { view, position, signal } = sight;
  const now = await positions.current(view);
  if (isLeft(now)) return left(problemOf(now.left, {}));
  if (position === undefined || (typeof now.right === 'bigint' && now.right >= position))
    return now.right === undefined ? notVisible('The read model is not built yet.') : right(now.right);
  const then = await positions.reached(view, { position, signal });
  if (then === undefined) return notYet;
  return isLeft(then) ? left(problemOf(then.left, {})) : right(then.right ?? null);
};

/** Null before the first event was applied, undefined before the view exists. */
type FoundPosition = Either<ViewFault, bigint | null | undefined>;

export interface PositionWait {
  readonly position: bigint;
  readonly signal: AbortSignal;
}

export interface ViewPositions {
  /** A lower bound for later reads. Concurrent callers share one read. */
  readonly current: (view: NamedView) => Promise<FoundPosition>;
  /** Answers once the view is at the position or its store fails; undefined when the signal aborts before that. */
  readonly reached: (view: NamedView, wait: PositionWait) => Promise<FoundPosition | undefined>;
}

interface Waiter {
  readonly position: bigint;
  readonly settle: (found: FoundPosition | undefined) => void;
  readonly fail: (error: unknown) => void;
}

const isReached = (found: FoundPosition, position: bigint): boolean =>
  isLeft(found) || (typeof found.right === 'bigint' && found.right >= position);

const shareRead = <A>(read: () => Promise<A>): (() => Promise<A>) => {
  let underWay: Promise<A> | undefined;
  return () => {
    underWay ??= read().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
};

const poll = async (waiters: Set<Waiter>, readPosition: () => Promise<FoundPosition>, pause: number): Promise<void> => {
  while (waiters.size > 0) {
    const found = await readPosition();
    for (const waiter of [...waiters]) {
      if (!isReached(found, waiter.position)) continue;
      waiters.delete(waiter);
      waiter.settle(found);
    }
    if (waiters.size > 0) await sleep(pause);
  }
};

/** Joins the set until it is answered, or the signal aborts. */
const joined = async (waiters: Set<Waiter>, { position, signal }: PositionWait): Promise<FoundPosition | undefined> => {
  const leave = new AbortController();
  try {
    return await new Promise<FoundPosition | undefined>((settle, fail) => {
      const waiter = { position, settle, fail };
      waiters.add(waiter);
      leave.signal.addEventListener('abort', () => waiters.delete(waiter), { once: true });
      signal.addEventListener('abort', () => settle(undefined), { once: true, signal: leave.signal });
    });
  } finally {
    leave.abort();
  }
};

const watchOf = (readPosition: () => Promise<FoundPosition>, pauseMilliseconds: number) => {
  const current = shareRead(readPosition);
  const waiters = new Set<Waiter>();
  let polling = false;
  const start = async (): Promise<void> => {
    if (polling || waiters.size === 0) return;
    polling = true;
    try {
      await poll(waiters, current, pauseMilliseconds);
    } catch (error) {
      for (const { fail } of [...waiters]) fail(error);
      waiters.clear();
    }
    polling = false;
    // One that joined after the last look found the poll still running.
    void start();
  };
  return {
    current,
    reached: (wait: PositionWait): Promise<FoundPosition | undefined> => {
      if (wait.signal.aborted) return Promise.resolve(undefined);
      const found = joined(waiters, wait);
      void start();
      return found;
    },
  };
};

export const createViewPositions = (views: Pick<ViewReader, 'checkpoint'>, pauseMilliseconds = 5): ViewPositions => {
  const watches = new Map<string, ReturnType<typeof watchOf>>();
  const watch = (view: NamedView): ReturnType<typeof watchOf> => {
    const known = watches.get(view.name);
    if (known !== undefined) return known;
    const made = watchOf(() => views.checkpoint(view), pauseMilliseconds);
    watches.set(view.name, made);
    return made;
  };
  return { current: (view) => watch(view).current(), reached: (view, wait) => watch(view).reached(wait) };
};
