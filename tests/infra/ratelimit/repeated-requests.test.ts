/**
 * Requests that are repeated: which copy decides, which copies receive the decision, and what happens when a copy stops
 * in between.
 */
import assert from 'node:assert/strict';
import { createIdempotentCheck } from '../../../infra/ratelimit/service/http/idempotent-checks';
import type { LimitDecision } from '../../../infra/ratelimit/service/http/messages';
import type { IdempotencyStore, OwnedKey } from '../../../packages/ratelimit/src/redis/idempotency-store';
import { deferred } from '../../support/waiting/deferred';

const decision = (changes: Partial<LimitDecision> = {}): LimitDecision => ({
  outcome: 'allow',
  limits: [],
  retryAfterSeconds: 0,
  configVersion: '1',
  source: 'store',
  ...changes,
});

/** Shared by several copies; claims end when `over` is called. */
const memoryAnswers = () => {
  const stored = new Map<string, { readonly by: string; readonly answer?: string }>();
  let away = false;
  const isOwn = ({ name, by }: OwnedKey): boolean => !away && (stored.get(name)?.by ?? by) === by;
  const answers: IdempotencyStore = {
    claim: async (name, by) => {
      if (away) return undefined;
      const found = stored.get(name);
      if (found === undefined) stored.set(name, { by });
      if (found === undefined) return 'mine';
      return found.answer === undefined ? 'others' : { answer: found.answer };
    },
    complete: async (claim, answer) => isOwn(claim) && stored.set(claim.name, { by: claim.by, answer }),
    release: async (claim) => isOwn(claim) && stored.delete(claim.name),
  };
  const leave = (): void => {
    away = true;
  };
  return { answers, over: () => stored.clear(), leave };
};

const named = { name: 'one', milliseconds: 1_000 };

/** Decides as `decisions` in turn. */
const decider = (...decisions: LimitDecision[]) => {
  let count = 0;
  const decide = async (): Promise<LimitDecision> => {
    count += 1;
    return decisions[count - 1] ?? decision({ outcome: 'deny' });
  };
  return { decide, count: () => count };
};

describe('a request that is asked again', () => {
  it('is decided once, in whatever process it is asked, and answered as before', async () => {
    const { answers } = memoryAnswers();
    const [one, other] = [createIdempotentCheck({ answers }), createIdempotentCheck({ answers })];
    const { decide, count } = decider(decision({ reservationId: 'r-1' }));
    const results = [await one(named, decide), await one(named, decide), await other(named, decide)];
    assert.deepEqual(
      results.map(({ reservationId }) => reservationId),
      ['r-1', 'r-1', 'r-1'],
    );
    assert.equal(count(), 1);
  });

  it('waits for a concurrent decision, in the same process and in another', async () => {
    const { answers } = memoryAnswers();
    const first = deferred();
    const paused = deferred();
    const { decide, count } = decider(decision({ reservationId: 'r-1' }));
    const slowly = async (): Promise<LimitDecision> => {
      await first.promise;
      return decide();
    };
    const one = createIdempotentCheck({ answers });
    const other = createIdempotentCheck({
      answers,
      pause: async () => {
        paused.resolve();
        await new Promise(setImmediate);
      },
    });
    const all = [one(named, slowly), one(named, decide), other(named, decide)];
    await paused.promise;
    first.resolve();
    for (const answer of await Promise.all(all)) assert.equal(answer.reservationId, 'r-1');
    assert.equal(count(), 1);
  });

  it('is decided again after a denial, and after an uncounted decision', async () => {
    const once = createIdempotentCheck(memoryAnswers());
    const { decide, count } = decider(decision({ outcome: 'deny' }), decision({ source: 'policy' }), decision());
    const outcomes = [await once(named, decide), await once(named, decide), await once(named, decide)];
    assert.deepEqual(
      outcomes.map(({ outcome, source }) => [outcome, source]),
      [
        ['deny', 'store'],
        ['allow', 'policy'],
        ['allow', 'store'],
      ],
    );
    await once(named, decide);
    assert.equal(count(), 3);
  });

  it('is decided by the next one when a process ended before it had', async () => {
    const { answers, over } = memoryAnswers();
    assert.equal(await answers.claim(named.name, 'a process that is gone'), 'mine');
    const { decide, count } = decider(decision());
    const once = createIdempotentCheck({ answers, pause: async () => over() });
    assert.equal((await once(named, decide)).outcome, 'allow');
    assert.equal(count(), 1);
  });

  it('is decided by the next one when deciding failed', async () => {
    const once = createIdempotentCheck(memoryAnswers());
    const { decide } = decider(decision());
    await assert.rejects(once(named, () => Promise.reject(new Error('a defect'))));
    assert.equal((await once(named, decide)).outcome, 'allow');
  });

  it('is known to its process while the store is away, for its time and no longer', async () => {
    const store = memoryAnswers();
    store.leave();
    let now = 0;
    const once = createIdempotentCheck({ answers: store.answers, now: () => now });
    const { decide, count } = decider(decision({ source: 'local' }), decision({ source: 'local' }));
    await once(named, decide);
    now = 999;
    await once(named, decide);
    assert.equal(count(), 1);
    now = 1_000;
    await once(named, decide);
    assert.equal(count(), 2);
  });

  it('takes no more memory than was said, the oldest going first', async () => {
    const once = createIdempotentCheck({ maxAnswers: 2 });
    const { decide, count } = decider(...Array.from({ length: 4 }, () => decision()));
    for (const name of ['one', 'two', 'three', 'three', 'two']) await once({ name, milliseconds: 1_000 }, decide);
    assert.equal(count(), 3);
    await once(named, decide);
    assert.equal(count(), 4);
  });
});
