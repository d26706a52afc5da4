/** The log as a process reaches it: after a while, and sometimes not, too late, or without an answer. */
import { isRight, left } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import type { EventStore, NewEvent, SubscribeAll } from '../../../../infra/ports/event-store';
import type { World } from './world';

export interface Life {
  isDead: boolean;
  /** From Redis. */
  isForgotten: boolean;
  /** From the log: its calls are answered late, if at all. */
  isCut: boolean;
}

/** A promise of its own: one that all share would keep every waiter, and all it refers to, in memory. */
const never = (): Promise<never> => new Promise(() => undefined);
const ambiguous = left(fault('event-store-ambiguous', 'The answer was lost.'));
const away = left(fault('event-store-unavailable', 'Away.'));

/** Calls of a dead process have no effect and no answer. */
export const living =
  <Arguments extends readonly unknown[], Answer>(life: Life, call: (...parameters: Arguments) => Promise<Answer>) =>
  async (...parameters: Arguments): Promise<Answer> => {
    const answer = life.isDead ? await never() : await call(...parameters);
    return life.isDead ? never() : answer;
  };

type Mood = 'works' | 'away' | 'answer lost' | 'request lost' | 'late';

const moodOf = (world: World, life: Life): Mood => {
  if (world.isCalm) return 'works';
  const what = world.chance();
  if (life.isCut) return what < 0.5 ? 'late' : 'request lost';
  if (what < 0.03) return 'away';
  if (what < 0.07) return 'answer lost';
  if (what < 0.1) return 'request lost';
  return what < 0.13 ? 'late' : 'works';
};

const versionIn = ({ data }: NewEvent): number => {
  const { toVersion } = data as { readonly toVersion?: number };
  return toVersion ?? 0;
};

export type Log = Pick<EventStore, 'append' | 'read' | 'head' | 'subscribeAll'>;

/** A process that is cut off receives events once it is connected again. */
async function* lateEvents(world: World, life: Life, request: SubscribeAll): ReturnType<Log['subscribeAll']> {
  for await (const event of world.store.subscribeAll(request)) {
    await world.wait(1 + world.below(30));
    while (life.isCut && !world.isCalm) await world.wait(50);
    if (life.isDead || request.signal.aborted) return;
    yield event;
  }
}

export const openLog = (world: World, life: Life): Log => {
  const write: Log['append'] = async (...parameters) => {
    const appended = await world.store.append(...parameters);
    if (isRight(appended)) world.committed = Math.max(world.committed, ...parameters[2].map(versionIn));
    return appended;
  };
  const append: Log['append'] = async (...parameters) => {
    await world.wait(1 + world.below(12));
    if (life.isDead) return never();
    const mood = moodOf(world, life);
    if (mood === 'away') return away;
    if (mood === 'late') world.time.schedule(50 + world.below(3_000), () => void write(...parameters));
    if (mood === 'late' || mood === 'request lost') return ambiguous;
    const appended = await write(...parameters);
    await world.wait(1 + world.below(12));
    return mood === 'works' ? appended : ambiguous;
  };
  const read: Log['read'] = async (...parameters) => {
    await world.wait(1 + world.below(4));
    const isAway = !world.isCalm && (life.isCut || world.chance() < 0.05);
    return isAway ? away : world.store.read(...parameters);
  };
  return {
    append: living(life, append),
    read: living(life, read),
    head: living(life, world.store.head),
    subscribeAll: (request) => lateEvents(world, life, request),
  };
};
