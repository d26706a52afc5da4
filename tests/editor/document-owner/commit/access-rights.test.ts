import assert from 'node:assert/strict';
import { isLeft, left, right } from 'fp-ts/Either';
import { createPermissionCache } from '../../../../commands/editor/document-owner/commit/permission-cache';
import { fault } from '../../../../domain/kernel/rejection';
import type { DocumentAccess } from '../../../../infra/server/documents/document-access';
import { deferred } from '../../../support/waiting/deferred';

const milliseconds = 100;
const allowAll = () => true;
const denyAll = () => false;

/** Reads of access that the test ends; the revision is the number of the read. */
const openReadings = () => {
  const under: ReturnType<typeof deferred>[] = [];
  let begun = 0;
  let time = 0;
  let isAway = false;
  const about = async () => {
    begun += 1;
    const [revision, reading, fails] = [begun, deferred(), isAway];
    under.push(reading);
    await reading.promise;
    if (fails) return left(fault('event-store-unavailable', 'Away.'));
    return right({ state: 'active' as const, title: '', revision, position: 0n, roleOf: () => undefined });
  };
  const rights = createPermissionCache({ read: about, milliseconds, now: () => time });
  const soon = () => new Promise((resolve) => setImmediate(resolve));
  return {
    rights,
    begun: () => begun,
    end: async (): Promise<void> => {
      await soon();
      under.shift()?.resolve();
      await soon();
    },
    later: (passed: number): void => {
      time += passed;
    },
    setAway: (value: boolean): void => {
      isAway = value;
    },
    /** Which reading it is, and up to where it may refuse; undefined: there is none. */
    take: async (first: number, allows: (standing: DocumentAccess) => boolean) => {
      const taken = await rights.read(first, allows);
      return isLeft(taken) ? undefined : [taken.right.access.revision, taken.right.coversUpTo];
    },
    isYoung: async (first: number): Promise<boolean | undefined> => {
      const taken = await rights.read(first, allowAll);
      return isLeft(taken) ? undefined : taken.right.isFresh;
    },
  };
};

describe('the right to edit', () => {
  it('is read once for all editors while the reading is fresh', async () => {
    const { rights, take, end, later, begun } = openReadings();
    const first = take(rights.nextNumber(), allowAll);
    await end();
    assert.deepEqual(await first, [1, 1]);
    later(49);
    assert.deepEqual(await take(rights.nextNumber(), allowAll), [1, 1]);
    assert.equal(begun(), 1);
  });

  it('is read ahead of batches, without delaying them', async () => {
    const { rights, take, end, later, begun } = openReadings();
    const first = take(rights.nextNumber(), allowAll);
    await end();
    await first;
    later(50);
    assert.deepEqual(await take(rights.nextNumber(), allowAll), [1, 1]);
    assert.deepEqual(await take(rights.nextNumber(), allowAll), [1, 1]);
    assert.equal(begun(), 2);
    await end();
    later(99);
    assert.deepEqual(await take(rights.nextNumber(), allowAll), [2, 2]);
  });

  it('expires a short time after its reading began', async () => {
    const { rights, take, end, later } = openReadings();
    const first = take(rights.nextNumber(), allowAll);
    later(60);
    await end();
    await first;
    later(40);
    const second = take(rights.nextNumber(), allowAll);
    await end();
    assert.deepEqual(await second, [2, 2]);
  });

  it('does not cover batches that arrived after a slow reading began', async () => {
    const { rights, take, isYoung, end, later } = openReadings();
    const first = isYoung(rights.nextNumber());
    later(40);
    const second = take(rights.nextNumber(), allowAll);
    later(60);
    await end();
    assert.equal(await first, false);
    await end();
    assert.deepEqual(await second, [2, 2]);
  });

  it('is read again before a batch that arrived after the reading is refused', async () => {
    const { rights, take, end } = openReadings();
    const first = take(rights.nextNumber(), denyAll);
    await end();
    assert.deepEqual(await first, [1, 1]);
    assert.deepEqual(await take(1, denyAll), [1, 1]);
    const second = take(rights.nextNumber(), denyAll);
    await end();
    assert.deepEqual(await second, [2, 2]);
  });

  it('is read when no batch arrived', async () => {
    const { take, end } = openReadings();
    const taken = take(0, denyAll);
    await end();
    assert.deepEqual(await taken, [1, 0]);
  });

  it('is not taken from a failed reading, and a failed read-ahead keeps the previous one', async () => {
    const { rights, take, end, later, setAway } = openReadings();
    setAway(true);
    const first = take(rights.nextNumber(), allowAll);
    await end();
    assert.equal(await first, undefined);
    setAway(false);
    const second = take(rights.nextNumber(), allowAll);
    await end();
    assert.deepEqual(await second, [2, 2]);
    setAway(true);
    later(60);
    assert.deepEqual(await take(rights.nextNumber(), allowAll), [2, 2]);
    await end();
    assert.deepEqual(await take(rights.nextNumber(), allowAll), [2, 2]);
  });
});
