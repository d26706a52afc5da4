/** What every store of leases does, by its own clock. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isRight } from 'fp-ts/Either';
import { acquireAndRenew } from '../../../../commands/kernel/processes/lease-renewal';
import type { Lease, Leases } from '../../../../infra/ports/processes/leases';
import { eventually } from '../../../support/waiting/eventually';

const long = 60_000;
/** Of leases that are renewed: longer than a busy machine keeps a renewal waiting. */
const renewed = 2_500;

const value = <A>(answer: Either<unknown, A>): A => {
  assert.ok(isRight(answer), 'the store answers');
  return answer.right;
};

const granted = async (leases: Leases, name: string, milliseconds = long): Promise<Lease> => {
  const lease = value(await leases.acquire(name, milliseconds));
  assert.ok(lease !== undefined, 'the lease is another’s');
  return lease;
};

const holding = (both: () => readonly [Leases, Leases]): void => {
  it('belongs to one at a time, and to the next once it is released', async () => {
    const [one, other] = both();
    const name = randomUUID();
    const first = await granted(one, name);
    assert.equal(value(await other.acquire(name, long)), undefined);
    assert.equal(value(await one.acquire(name, long)), undefined);
    value(await one.release(first));
    const second = await granted(other, name);
    assert.ok(second.token > first.token);
  });

  it('is given to one of many who ask at once', async () => {
    const [one, other] = both();
    const name = randomUUID();
    const acquired = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one : other).acquire(name, long)),
    );
    assert.equal(acquired.filter((answer) => value(answer) !== undefined).length, 1);
  });

  it('ends by itself, and cannot be renewed or released by who had it', async () => {
    const [one, other] = both();
    const name = randomUUID();
    const first = await granted(one, name, 30);
    await eventually(async () => assert.ok(value(await other.acquire(name, long)) !== undefined));
    assert.equal(value(await one.renew(first, long)), false);
    value(await one.release(first));
    assert.equal(value(await one.acquire(name, long)), undefined);
  });

  it('stays for as long as it is renewed', async () => {
    const [one, other] = both();
    const name = randomUUID();
    const lease = await granted(one, name, renewed);
    const until = performance.now() + renewed + 500;
    while (performance.now() < until) {
      assert.equal(value(await one.renew(lease, renewed)), true);
      assert.equal(value(await other.acquire(name, long)), undefined);
      await sleep(100);
    }
  });

  it('counts its tokens on, whatever the end of each holder', async () => {
    const [one, other] = both();
    const name = randomUUID();
    const tokens: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const leases = round % 2 === 0 ? one : other;
      await eventually(async () => tokens.push((await granted(leases, name, 15)).token));
    }
    assert.deepEqual(
      tokens,
      [...new Set(tokens)].sort((a, b) => a - b),
    );
  });
};

const keeping = (both: () => readonly [Leases, Leases]): void => {
  it('is kept beyond its time while its holder lives, and free at once when it is released', async () => {
    const [one, other] = both();
    const name = randomUUID();
    const held = value(await acquireAndRenew(one, name, renewed));
    assert.ok(held !== undefined);
    const until = performance.now() + renewed + 500;
    while (performance.now() < until) {
      assert.equal(value(await other.acquire(name, long)), undefined);
      await sleep(20);
    }
    assert.ok(held.isValid());
    await held.release();
    assert.ok(!held.isValid());
    await granted(other, name);
  });

  it('reports a lease as lost when another holder has it', async () => {
    const [one, other] = both();
    const name = randomUUID();
    const held = value(await acquireAndRenew(one, name, 300));
    assert.ok(held !== undefined);
    value(await other.release({ name, token: held.token }));
    value(await one.release({ name, token: held.token }));
    await granted(other, name);
    await eventually(async () => assert.ok(held.lost.aborted));
    assert.ok(!held.isValid());
    await held.release();
    assert.equal(value(await one.acquire(name, long)), undefined, 'a late release takes nothing from the next');
  });

  it('is lost by its own clock when its store does not answer', async () => {
    const [one] = both();
    const silent: Leases = { ...one, renew: () => new Promise(() => undefined) };
    const held = value(await acquireAndRenew(silent, randomUUID(), 200));
    assert.ok(held !== undefined);
    await eventually(async () => assert.ok(held.lost.aborted));
  });
};

/** Two connections to one store. */
export const leaseContract = (both: () => readonly [Leases, Leases]): void => {
  holding(both);
  keeping(both);
};
