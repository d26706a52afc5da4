import assert from 'node:assert/strict';
import { append } from '../../../../packages/eventstore-node/src/storage/append';
import { createAuthenticate } from '../../../../packages/eventstore-node/src/users/authenticate';
import {
  type ConcurrencyLimit,
  createConcurrencyLimit,
} from '../../../../packages/eventstore-node/src/users/concurrency-limit';
import { encodeUser, streamOfUser } from '../../../../packages/eventstore-node/src/users/user-record';
import { openUsers } from '../../../../packages/eventstore-node/src/users/users';
import { type Log, withLog } from './log';

const ada = { login: 'ada', fullName: 'Ada', groups: ['writers'], password: 'first' };

/** Counts the slow hashes. */
const counting = (): { readonly limit: ConcurrencyLimit; readonly count: () => number } => {
  const limit = createConcurrencyLimit({ running: 1, waiting: 3 });
  let count = 0;
  return {
    limit: (run) => {
      count += 1;
      return limit(run);
    },
    count: () => count,
  };
};

const withAda = (use: (log: Log, hashes: ReturnType<typeof counting>) => Promise<void>): Promise<void> =>
  withLog(async (log) => {
    assert.deepEqual(await openUsers(log).create(ada), { kind: 'done' });
    await use(log, counting());
  });

describe('authentication', () => {
  it('knows a user by its password, and hashes once for as long as nothing changes', () =>
    withAda(async (log, hashes) => {
      const authenticate = createAuthenticate({ ...log, limit: hashes.limit });
      const identity = { login: 'ada', groups: ['writers'] };
      assert.deepEqual(await authenticate('ada', 'first'), identity);
      for (let call = 0; call < 10; call += 1) assert.deepEqual(await authenticate('ada', 'first'), identity);
      assert.equal(hashes.count(), 1);
    }));

  it('hashes every time, for a wrong password and for an unknown user', () =>
    withAda(async (log, hashes) => {
      const authenticate = createAuthenticate({ ...log, limit: hashes.limit });
      await authenticate('ada', 'first');
      assert.equal(await authenticate('ada', 'wrong'), undefined);
      assert.equal(await authenticate('ada', 'wrong'), undefined);
      assert.equal(await authenticate('nobody', 'first'), undefined);
      assert.equal(await authenticate('nobody', 'first'), undefined);
      assert.equal(hashes.count(), 5);
    }));

  it('never hashes what can be no password', () =>
    withAda(async (log, hashes) => {
      const authenticate = createAuthenticate({ ...log, limit: hashes.limit });
      assert.equal(await authenticate('ada', ''), undefined);
      assert.equal(await authenticate('', 'first'), undefined);
      assert.equal(await authenticate('ada', 'x'.repeat(1_000_000)), undefined);
      assert.equal(hashes.count(), 0);
    }));

  it('answers many calls that begin at once by one hash, and refuses what does not fit the queue', () =>
    withAda(async (log, hashes) => {
      const authenticate = createAuthenticate({ ...log, limit: hashes.limit });
      const same = await Promise.all(Array.from({ length: 100 }, () => authenticate('ada', 'first')));
      assert.ok(same.every((identity) => identity?.login === 'ada'));
      assert.equal(hashes.count(), 1);
      const flood = await Promise.allSettled(
        Array.from({ length: 10 }, (_, index) => authenticate('ada', `no${index}`)),
      );
      assert.equal(flood.filter(({ status }) => status === 'rejected').length, 6);
      assert.deepEqual((await authenticate('ada', 'first'))?.login, 'ada');
    }));

  it('does not mix up a login and a password that run together', () =>
    withAda(async (log, hashes) => {
      const authenticate = createAuthenticate({ ...log, limit: hashes.limit });
      await authenticate('ada', 'first');
      assert.equal(await authenticate('adaf', 'irst'), undefined);
    }));
});

describe('a known password', () => {
  const forgotten = (name: string, change: (log: Log) => Promise<unknown>, next: string | undefined) =>
    it(`${name}`, () =>
      withAda(async (log, hashes) => {
        const authenticate = createAuthenticate({ ...log, limit: hashes.limit });
        assert.equal((await authenticate('ada', 'first'))?.login, 'ada');
        await change(log);
        assert.equal((await authenticate('ada', 'first'))?.login, next);
      }));

  forgotten('is of no use once the user is disabled', (log) => openUsers(log).setDisabled('ada', true), undefined);
  forgotten('is of no use once the user is deleted', (log) => openUsers(log).remove('ada'), undefined);
  forgotten('is of no use once it was reset', (log) => openUsers(log).resetPassword('ada', 'second'), undefined);
  forgotten(
    'is of no use once it was changed',
    (log) => openUsers(log).changePassword({ login: 'ada', current: 'first', next: 'second' }),
    undefined,
  );
  forgotten(
    'is of no use once somebody writes to the stream of the user',
    ({ writer }) => {
      const data = encodeUser({ ...ada, salt: '', hash: '', disabled: false });
      const event = { id: crypto.randomUUID(), type: '$UserUpdated', json: true, data, metadata: Buffer.alloc(0) };
      return writer.write(append({ stream: streamOfUser('ada'), expected: 'any', events: [event] }));
    },
    undefined,
  );
  forgotten(
    'is good again once the user is enabled again',
    async (log) => {
      await openUsers(log).setDisabled('ada', true);
      await openUsers(log).setDisabled('ada', false);
    },
    'ada',
  );

  it('brings the groups that the user has now', () =>
    withAda(async (log, hashes) => {
      const authenticate = createAuthenticate({ ...log, limit: hashes.limit });
      assert.deepEqual((await authenticate('ada', 'first'))?.groups, ['writers']);
      await openUsers(log).update({ login: 'ada', fullName: 'Ada', groups: ['$admins'] });
      assert.deepEqual((await authenticate('ada', 'first'))?.groups, ['$admins']);
    }));

  it('is not believed when the user changes while it is checked', () =>
    withAda(async ({ storage, strength }) => {
      let changed = false;
      const get = (name: Buffer) => {
        const head = storage.heads.get(name);
        return changed && head !== undefined ? { ...head, last: head.last + 1 } : head;
      };
      const limit: ConcurrencyLimit = (run) => {
        const running = run();
        changed = true;
        return running;
      };
      const authenticate = createAuthenticate({
        storage: { ...storage, heads: { ...storage.heads, get } },
        limit,
        strength,
      });
      assert.equal(await authenticate('ada', 'first'), undefined);
    }));
});
