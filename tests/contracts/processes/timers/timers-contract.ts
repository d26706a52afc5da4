/** What every store of timers does; the clock that decides is the test's to move. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Either, isRight } from 'fp-ts/Either';
import type { Instant } from '../../../../domain/kernel/codec';
import type { Timer, Timers } from '../../../../infra/ports/processes/timers';

export interface TimersOnClock {
  readonly timers: Timers;
  readonly now: () => Promise<number>;
  readonly step: (milliseconds: number) => Promise<void>;
}

const value = <A>(answer: Either<unknown, A>): A => {
  assert.ok(isRight(answer), 'the store answers');
  return answer.right;
};

const minute = 60_000;

/** One process with timers of its own. */
const stage = (open: () => TimersOnClock) => {
  const { timers, now, step } = open();
  const process = `p-${randomUUID()}`;
  let position = 0n;
  const set = async (key: string, milliseconds: number, changes: Partial<Timer> = {}): Promise<Timer> => {
    position += 1n;
    const at = new Date((await now()) + milliseconds).toISOString() as Instant;
    const place = { process, instance: 'sample.x-acme.1', key, position, ordinal: 0 };
    const timer = { ...place, id: randomUUID(), at, body: { key, deep: [1, null, 'ä'] }, ...changes };
    value(await timers.schedule(timer));
    return timer;
  };
  const cancel = async (timer: Timer, later = 100n) =>
    value(await timers.cancel({ ...timer, position: timer.position + later }));
  const due = async (limit = 100) => value(await timers.due(process, limit));
  const dueIds = async () => (await due()).timers.map(({ id }) => id);
  return { timers, step, set, cancel, due, dueIds, process };
};

const falling = (open: () => TimersOnClock): void => {
  it('are due when their time has come, the earliest first, as they were set', async () => {
    const { set, due, step } = stage(open);
    const second = await set('b', 2 * minute);
    const first = await set('a', minute);
    const { timers, nextMilliseconds } = await due();
    assert.deepEqual(timers, []);
    assert.ok(nextMilliseconds !== null && nextMilliseconds > 0 && nextMilliseconds <= minute);
    await step(3 * minute);
    assert.deepEqual((await due()).timers, [first, second]);
    assert.equal((await due()).nextMilliseconds, null);
    assert.deepEqual((await due(1)).timers, [first]);
  });

  it('are of one process', async () => {
    const [one, other] = [stage(open), stage(open)];
    await one.set('a', -minute);
    assert.deepEqual(await other.dueIds(), []);
  });

  it('are over once fired, also when they are set again', async () => {
    const { set, due, dueIds, timers } = stage(open);
    const timer = await set('a', -minute);
    value(await timers.fired([timer.id]));
    assert.deepEqual(await dueIds(), []);
    value(await timers.schedule(timer));
    assert.deepEqual(await due(), { timers: [], nextMilliseconds: null });
  });

  it('stay as they are when the clock is set back', async () => {
    const { set, dueIds, step, timers } = stage(open);
    const [fired, pending] = [await set('a', minute), await set('b', 2 * minute)];
    await step(minute);
    assert.deepEqual(await dueIds(), [fired.id]);
    value(await timers.fired([fired.id]));
    await step(-60 * minute);
    assert.deepEqual(await dueIds(), []);
    await step(62 * minute);
    assert.deepEqual(await dueIds(), [pending.id]);
  });
};

const replacing = (open: () => TimersOnClock): void => {
  it('give way to a later one under the same key', async () => {
    const { set, dueIds } = stage(open);
    await set('a', -minute);
    const later = await set('a', -2 * minute);
    const elsewhere = await set('a', -minute, { instance: 'sample.x-acme.2' });
    assert.deepEqual((await dueIds()).sort(), [later.id, elsewhere.id].sort());
  });

  it('are cancelled by commands after them, not by commands before', async () => {
    const { set, cancel, dueIds } = stage(open);
    const [gone, kept] = [await set('a', -minute), await set('b', -minute)];
    await cancel(gone);
    await cancel(kept, -1n);
    assert.deepEqual(await dueIds(), [kept.id]);
  });

  it('stay cancelled or replaced when they are set again', async () => {
    const { set, cancel, dueIds, timers } = stage(open);
    const [gone, old] = [await set('a', -minute), await set('b', -minute)];
    const later = await set('b', -minute);
    await cancel(gone);
    for (const timer of [gone, old, later]) value(await timers.schedule(timer));
    assert.deepEqual(await dueIds(), [later.id]);
  });

  it('come too late when a later one is there already', async () => {
    const { set, dueIds } = stage(open);
    const later = await set('a', -minute, { position: 50n });
    await set('a', -minute, { position: 49n });
    await set('a', -minute, { position: 49n, ordinal: 7 });
    assert.deepEqual(await dueIds(), [later.id]);
  });

  it('follow their order within one answer', async () => {
    const { set, dueIds } = stage(open);
    await set('a', -minute, { position: 9n, ordinal: 0 });
    const later = await set('a', -minute, { position: 9n, ordinal: 1 });
    assert.deepEqual(await dueIds(), [later.id]);
  });
};

export const timersContract = (open: () => TimersOnClock): void => {
  falling(open);
  replacing(open);
};
