import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';
import { openRedisAttemptLimiter } from '../../../infra/adapters/redis/identity/attempt-limiter';
import {
  createMemoryAttemptLimiter,
  createMemorySessionActivity,
} from '../../../infra/adapters/redis/identity/memory-sign-in-stores';
import { openRedisSessionActivity } from '../../../infra/adapters/redis/identity/session-activity';
import type { AttemptKey, AttemptLimiter } from '../../../infra/ports/identity/attempt-limiter';
import type { SessionActivity } from '../../../infra/ports/identity/session-activity';
import { valkeyForTests } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';

interface Kind {
  readonly attempts: () => Promise<AttemptLimiter>;
  readonly live: () => Promise<SessionActivity>;
}

const kinds: { readonly [name: string]: Kind } = {
  Redis: {
    attempts: async () => openRedisAttemptLimiter((await valkeyForTests()).url),
    live: async () => openRedisSessionActivity((await valkeyForTests()).url),
  },
  'the twin': { attempts: async () => createMemoryAttemptLimiter(), live: async () => createMemorySessionActivity() },
};

const right = async <A>(pending: Promise<{ readonly _tag: string; readonly right?: A }>): Promise<A> => {
  const found = await pending;
  assert.equal(found._tag, 'Right');
  return found.right as A;
};

for (const [name, kind] of Object.entries(kinds))
  describe(`sign-ins counted by ${name}`, () => {
    let attempts: AttemptLimiter;
    let live: SessionActivity;
    before(async () => {
      [attempts, live] = await Promise.all([kind.attempts(), kind.live()]);
    });
    after(() => Promise.all([attempts.close(), live.close()]));

    const take = (...tries: readonly AttemptKey[]) => right(attempts.take(tries));
    const isTaken = async (...tries: readonly AttemptKey[]): Promise<boolean> =>
      (await take(...tries)).retryAfterSeconds === 0;

    it('lets exactly so many of any number that try at once, and counts none of those that succeed', async () => {
      const login = { name: randomUUID(), most: 5, milliseconds: 60_000 };
      const tries = await Promise.all(Array.from({ length: 40 }, () => take(login)));
      const taken = tries.filter(({ retryAfterSeconds }) => retryAfterSeconds === 0);
      assert.equal(taken.length, 5);
      await taken[0]?.refund();
      await taken[0]?.refund();
      for (let time = 0; time < 10; time += 1) {
        const one = await take(login);
        assert.equal(one.retryAfterSeconds, 0);
        await one.refund();
      }
      assert.deepEqual([await isTaken(login), await isTaken(login)], [true, false]);
    });

    it('takes of every name or of none, and answers the name to wait for', async () => {
      const login = { name: randomUUID(), most: 1, milliseconds: 60_000 };
      const place = { name: randomUUID(), most: 3, milliseconds: 90_000 };
      assert.equal(await isTaken(place, login), true);
      for (let time = 0; time < 5; time += 1) {
        const { limit, remaining, resetSeconds, retryAfterSeconds } = await take(place, login);
        assert.deepEqual([limit, remaining, resetSeconds], [1, 0, retryAfterSeconds]);
        assert.ok(retryAfterSeconds > 0 && retryAfterSeconds <= 60);
      }
      assert.deepEqual([await isTaken(place), await isTaken(place), await isTaken(place)], [true, true, false]);
    });

    it('lets one try again once the window has slid, however often it was refused meanwhile', async () => {
      const login = { name: randomUUID(), most: 1, milliseconds: 300 };
      assert.equal(await isTaken(login), true);
      assert.equal(await isTaken(login), false);
      await eventually(async () => assert.equal(await isTaken(login), true));
    });

    it('knows which sessions of a person are in use, and forgets those that are not', async () => {
      const person = randomUUID();
      await right(live.begin(person, 'long', 60_000));
      await right(live.begin(person, 'short', 200));
      await right(live.begin(person, 'ended', 60_000));
      await right(live.end(person, 'ended'));
      assert.equal(await right(live.use(person, 'ended', 60_000)), false);
      await eventually(async () => assert.deepEqual(await right(live.of(person)), ['long']));
      assert.equal(await right(live.use(person, 'short', 60_000)), false);
      assert.equal(await right(live.use(person, 'long', 60_000)), true);
      assert.equal(await right(live.use(randomUUID(), 'long', 60_000)), false);
    });
  });

describe('sign-ins while Redis is unavailable', () => {
  it('are refused, because attempts cannot be counted', async () => {
    const [attempts, live] = [
      openRedisAttemptLimiter('redis://127.0.0.1:1'),
      openRedisSessionActivity('redis://127.0.0.1:1'),
    ];
    const answers = [
      await attempts.take([{ name: 'a', most: 1, milliseconds: 1_000 }]),
      await live.begin('p', 's', 1_000),
      await live.use('p', 's', 1_000),
      await live.of('p'),
      await live.end('p', 's'),
    ];
    assert.deepEqual(
      [...new Set(answers.map((one) => isLeft(one) && (one.left as Fault).code))],
      ['service-unavailable'],
    );
    await Promise.all([attempts.close(), live.close()]);
  });
});
