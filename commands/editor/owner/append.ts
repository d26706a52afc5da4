/**
 * One append of an owner, until it is known what became of it. It is only ever said again as it was, at the same revision: then the log
 * takes it once or not at all, and whatever else stands at that revision is another owner's.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft, isRight } from 'fp-ts/Either';
import type { Expected, NewEvent } from '../../../infra/ports/event-store';
import type { OwnerDeps } from './deps';

export interface ToAppend {
  readonly stream: string;
  /** -1: there is nothing in it yet. */
  readonly after: number;
  readonly events: readonly NewEvent[];
}

export type AppendEnd =
  | { readonly kind: 'written'; readonly revision: number }
  /** Another owner wrote there. */
  | { readonly kind: 'fenced' }
  /** It could not be told in time, or the log refuses it: whoever reads later will see. */
  | { readonly kind: 'unknown'; readonly refused: boolean };

const longestPause = 1_000;

/** What stands where these were to go: undefined when that cannot be read, or nothing does. */
const lookedUp = async (
  { store }: Pick<OwnerDeps, 'store'>,
  { stream, after, events }: ToAppend,
): Promise<AppendEnd | undefined> => {
  const there = await store.read(stream, after + 1);
  if (isLeft(there)) return undefined;
  const [first] = there.right;
  if (first === undefined) return undefined;
  if (first.id !== events[0]?.id) return { kind: 'fenced' };
  return { kind: 'written', revision: there.right[events.length - 1]?.revision ?? first.revision };
};

type Deps = Pick<OwnerDeps, 'store' | 'settings'>;

const attempt = async (deps: Deps, asked: ToAppend, isFirst: boolean): Promise<AppendEnd | undefined> => {
  const expected: Expected = asked.after < 0 ? 'no-stream' : asked.after;
  const appended = await deps.store.append(asked.stream, expected, asked.events);
  if (isRight(appended)) return { kind: 'written', revision: appended.right.revision };
  if (appended.left.kind === 'wrong-revision') {
    // The first time nothing of ours can be there.
    return isFirst ? { kind: 'fenced' } : lookedUp(deps, asked);
  }
  if (appended.left.code === 'event-refused') return { kind: 'unknown', refused: true };
  return lookedUp(deps, asked);
};

export const appendSurely = async (deps: Deps, asked: ToAppend): Promise<AppendEnd> => {
  const until = performance.now() + deps.settings.append.patienceMilliseconds;
  let pause = deps.settings.append.pauseMilliseconds;
  for (let isFirst = true; ; isFirst = false) {
    const end = await attempt(deps, asked, isFirst);
    if (end !== undefined) return end;
    if (performance.now() + pause > until) return { kind: 'unknown', refused: false };
    await sleep(pause);
    pause = Math.min(pause * 2, longestPause);
  }
};
