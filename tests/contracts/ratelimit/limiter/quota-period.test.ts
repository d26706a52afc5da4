/** Quotas of requests that do not agree on their period: of several time zones, or around its end. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { compileLimit } from '../../../../packages/ratelimit/src/policy/compile-limit';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { type ControlledClock, openControlledClock } from './controlled-clock';

const hour = 3_600_000;
const day = 24 * hour;

describe('the period of a quota', () => {
  let given: ControlledClock;
  let key: string;
  let today: number;
  before(async () => {
    given = openControlledClock((await valkeyForTests()).url, randomUUID());
  });
  beforeEach(() => {
    key = `limit:{${randomUUID()}}:q`;
    // Noon of a day of UTC.
    given.advance(day * 1_000 - ((given.now() - (day / 2) * 1_000) % (day * 1_000)));
    today = given.now() / 1_000 - day / 2;
  });
  after(() => given.store.close());

  const limitOf = (startsAt: number, limit = 3) =>
    compileLimit({ algorithm: 'quota', name: 'q', limit, startsAt, endsAt: startsAt + day });
  const take = (startsAt: number, cost = 1) =>
    given.store.decide('take', randomUUID(), [{ key, limit: limitOf(startsAt), cost, counted: 0 }]);
  const leftAfter = async (startsAt: number, cost = 1) => (await take(startsAt, cost))?.limits[0]?.remaining;

  it('is the one that began, whatever time zone later requests name', async () => {
    const outcomes = [];
    for (let at = 0; at < 8; at += 1) outcomes.push((await take(today + (at % 2 === 0 ? -hour : hour)))?.outcome);
    assert.deepEqual(outcomes, [...Array(3).fill('admitted'), ...Array(5).fill('refused')]);
    const waitMicroseconds = (await take(today + hour))?.limits[0]?.waitMicroseconds ?? 0;
    assert.equal(waitMicroseconds, (day / 2 - hour) * 1_000, 'to the end of the period that counts');
    given.advance(waitMicroseconds - 1);
    assert.equal((await take(today + hour))?.outcome, 'refused');
    given.advance(1);
    assert.equal(await leftAfter(today + hour), 2);
  });

  it('stays the new one when a request of the old one comes late', async () => {
    await take(today, 3);
    given.advance((day / 2) * 1_000);
    assert.equal(await leftAfter(today + day, 2), 1);
    assert.equal(await leftAfter(today), 0);
    assert.equal((await take(today + day))?.outcome, 'refused');
  });

  it('is never in the future: a process whose clock is years ahead affects no others', async () => {
    assert.equal(await leftAfter(today + 1_000 * day), 2);
    assert.equal(await leftAfter(today), 1);
    given.advance(day * 1_000);
    assert.equal(await leftAfter(today + day), 2);
  });

  it('takes back what is settled, by whichever time zone it was reserved, and nothing that was of the last one', async () => {
    const reserve = async (startsAt: number) => {
      const reservation = `${key}:reserved:${randomUUID()}`;
      const mode = { reservation, milliseconds: 10 * day, context: '' };
      await given.store.decide(mode, randomUUID(), [{ key, limit: limitOf(startsAt), cost: 1, counted: 0 }]);
      return () => given.store.settle({ reservation, actual: [0], final: true });
    };
    const [one, other] = [await reserve(today), await reserve(today + hour)];
    await other();
    assert.equal(await leftAfter(today), 1);
    given.advance(day * 1_000);
    assert.equal(await leftAfter(today + day), 2);
    await one();
    assert.equal(await leftAfter(today + day), 1);
  });
});
