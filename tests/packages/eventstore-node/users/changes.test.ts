import assert from 'node:assert/strict';
import type { ConcurrencyLimit } from '../../../../packages/eventstore-node/src/users/concurrency-limit';
import { createUserCommands } from '../../../../packages/eventstore-node/src/users/user-commands';
import { openUsers, type Users } from '../../../../packages/eventstore-node/src/users/users';
import { type Log, namesWritten, withLog, written } from './log';

const ada = { login: 'ada', fullName: 'Ada', groups: ['writers', '$ops'], password: 'first' };

const withUsers = (use: (users: Users, log: Log) => Promise<void>): Promise<void> =>
  withLog((log) => use(openUsers(log), log));

const created = ['$$$user-ada $metadata', '$user-ada $UserCreated', '$users $User'];
const firstChange = ['$user-ada $UserUpdated', '$$$users-password-notifications $metadata'];
const notified = '$users-password-notifications $PasswordChanged';

describe('a new user', () => {
  it('is written where EventStoreDB keeps users, and only administrators may change it there', () =>
    withUsers(async (users, log) => {
      assert.deepEqual(await users.create(ada), { kind: 'done' });
      assert.deepEqual(namesWritten(log), created);
      const [access, user, listed] = written(log);
      assert.deepEqual(JSON.parse(access?.data ?? ''), { $acl: { $w: '$admins', $d: '$admins', $mw: '$admins' } });
      const { loginName, fullName, groups, disabled } = JSON.parse(user?.data ?? '');
      assert.deepEqual([loginName, fullName, groups, disabled], ['ada', 'Ada', ['writers', '$ops'], undefined]);
      assert.ok(!user?.data.includes('first'));
      assert.equal(listed?.data, 'ada');
    }));

  it('is the same again with the same password, and a conflict with another', () =>
    withUsers(async (users, log) => {
      await users.create(ada);
      assert.deepEqual(await users.create({ ...ada, fullName: 'Other' }), { kind: 'done' });
      assert.deepEqual(await users.create({ ...ada, password: 'other' }), { kind: 'conflict' });
      assert.deepEqual(namesWritten(log), created);
    }));

  it('is made once when two make it at once', () =>
    withUsers(async (users, log) => {
      const outcomes = await Promise.all([users.create(ada), users.create({ ...ada, password: 'other' })]);
      assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['conflict', 'done']);
      assert.deepEqual(namesWritten(log), created);
    }));

  it('needs a name and a password that can be used', () =>
    withUsers(async (users, log) => {
      const wrong = [
        { login: '' },
        { login: 'a:b' },
        { login: 'a\nb' },
        { login: 'x'.repeat(300) },
        { password: '' },
        { password: 'x'.repeat(2_000) },
        { groups: [''] },
        { groups: Array(101).fill('g') },
        { fullName: 'x'.repeat(2_000) },
      ];
      for (const fields of wrong) assert.equal((await users.create({ ...ada, ...fields })).kind, 'invalid');
      assert.deepEqual(namesWritten(log), []);
    }));

  it('with a deleted user’s name starts fresh, and the old events stay hidden', () =>
    withUsers(async (users, log) => {
      await users.create(ada);
      await users.remove('ada');
      assert.deepEqual(await users.create({ ...ada, password: 'second' }), { kind: 'done' });
      assert.equal(await users.authenticate('ada', 'first'), undefined);
      assert.equal((await users.authenticate('ada', 'second'))?.login, 'ada');
      assert.equal(log.storage.heads.get(Buffer.from('$user-ada'))?.retention.before, 1);
      assert.deepEqual(
        users.all().map(({ login }) => login),
        ['ada'],
      );
    }));
});

describe('a change of a user', () => {
  it('is written and published to other nodes', () =>
    withUsers(async (users, log) => {
      await users.create(ada);
      assert.deepEqual(await users.update({ login: 'ada', fullName: 'Ada L', groups: [] }), { kind: 'done' });
      assert.deepEqual(await users.setDisabled('ada', true), { kind: 'done' });
      assert.deepEqual(await users.setDisabled('ada', false), { kind: 'done' });
      const disabled = ['$user-ada $UserUpdated', notified];
      const enabled = ['$user-ada $UserUpdated'];
      assert.deepEqual(namesWritten(log), [...created, ...firstChange, notified, ...disabled, ...enabled]);
      const { fullName, groups } = users.find('ada') ?? {};
      assert.deepEqual([fullName, groups], ['Ada L', []]);
      assert.deepEqual(JSON.parse(written(log).find(({ type }) => type === '$PasswordChanged')?.data ?? ''), {
        loginName: 'ada',
      });
    }));

  it('keeps the password when it is none of the password', () =>
    withUsers(async (users) => {
      await users.create(ada);
      await users.update({ login: 'ada', fullName: 'Ada L', groups: ['a'] });
      assert.equal((await users.authenticate('ada', 'first'))?.login, 'ada');
    }));

  it('of the password needs the current one', () =>
    withUsers(async (users) => {
      await users.create(ada);
      const change = { login: 'ada', current: 'wrong', next: 'second' };
      assert.deepEqual(await users.changePassword(change), { kind: 'denied' });
      assert.deepEqual(await users.changePassword({ ...change, current: '' }), { kind: 'denied' });
      assert.equal((await users.changePassword({ ...change, current: 'first', next: '' })).kind, 'invalid');
      assert.deepEqual(await users.changePassword({ ...change, current: 'first' }), { kind: 'done' });
      assert.equal((await users.authenticate('ada', 'second'))?.login, 'ada');
      assert.deepEqual(await users.resetPassword('ada', 'third'), { kind: 'done' });
      assert.equal((await users.authenticate('ada', 'third'))?.login, 'ada');
    }));

  it('of the password is a conflict when the user changed meanwhile', () =>
    withUsers(async (users, log) => {
      await users.create(ada);
      const limit: ConcurrencyLimit = async (run) => {
        const result = await run();
        await users.setDisabled('ada', true);
        return result;
      };
      const change = { login: 'ada', current: 'first', next: 'second' };
      assert.deepEqual(await createUserCommands({ ...log, limit }).changePassword(change), { kind: 'conflict' });
    }));

  it('of a missing user is not found', () =>
    withUsers(async (users, log) => {
      const missing = { kind: 'not-found' };
      assert.deepEqual(await users.update({ login: 'ada', fullName: '', groups: [] }), missing);
      assert.deepEqual(await users.setDisabled('ada', true), missing);
      assert.deepEqual(await users.resetPassword('ada', 'x'), missing);
      assert.deepEqual(await users.changePassword({ login: 'ada', current: 'x', next: 'y' }), missing);
      assert.deepEqual(await users.remove('ada'), missing);
      assert.deepEqual(namesWritten(log), []);
    }));

  it('by deletion removes the user', () =>
    withUsers(async (users, log) => {
      await users.create(ada);
      assert.deepEqual(await users.remove('ada'), { kind: 'done' });
      assert.equal(users.find('ada'), undefined);
      assert.deepEqual(users.all(), []);
      assert.deepEqual(await users.remove('ada'), { kind: 'not-found' });
      assert.deepEqual(namesWritten(log).slice(created.length), [
        '$$$user-ada $metadata',
        '$$$users-password-notifications $metadata',
        notified,
      ]);
    }));
});
