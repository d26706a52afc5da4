import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { isLeft, isRight } from 'fp-ts/Either';
import {
  createStandardUsers,
  ensureStandardUsers,
  initialPasswordsPath,
  resolveInitialPasswords,
} from '../../../../packages/eventstore-node/src/users/bootstrap-users';
import { openUsers } from '../../../../packages/eventstore-node/src/users/users';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { namesWritten, withLog } from './log';

const given = { EVENTSTORE_DEFAULT_ADMIN_PASSWORD: 'adminadmin', EVENTSTORE_DEFAULT_OPS_PASSWORD: 'opsops' };
const passwords = { admin: 'adminadmin', ops: 'opsops' };

const written = [
  '$$$user-admin $metadata',
  '$$$user-ops $metadata',
  '$user-admin $UserCreated',
  '$user-ops $UserCreated',
  '$users $User',
  '$users $User',
];

describe('the first users', () => {
  it('are admin and ops, written in a real node’s order, once', () =>
    withLog(async (log) => {
      assert.ok(isRight(await createStandardUsers(log, passwords)));
      assert.ok(isRight(await createStandardUsers(log, { admin: 'other', ops: 'other' })));
      assert.deepEqual(namesWritten(log), written);
      const users = openUsers(log);
      assert.deepEqual(
        users.all().map(({ login, fullName, groups }) => [login, fullName, groups]),
        [
          ['admin', 'Event Store Administrator', ['$admins']],
          ['ops', 'Event Store Operations', ['$ops']],
        ],
      );
      assert.deepEqual((await users.authenticate('admin', 'adminadmin'))?.groups, ['$admins']);
    }));

  it('that an administrator deleted stay away', () =>
    withLog(async (log) => {
      await createStandardUsers(log, passwords);
      await openUsers(log).remove('ops');
      assert.ok(isRight(await ensureStandardUsers(log, log.data, {})));
      assert.equal(openUsers(log).find('ops'), undefined);
      assert.equal(existsSync(initialPasswordsPath(log.data)), false);
    }));

  it('can be used with the passwords of the file', () =>
    withLog(async (log) => {
      assert.ok(isRight(await ensureStandardUsers(log, log.data, {})));
      const made = JSON.parse(readFileSync(initialPasswordsPath(log.data), 'utf8')) as Record<string, string>;
      const users = openUsers(log);
      assert.equal((await users.authenticate('admin', made.admin ?? ''))?.login, 'admin');
      assert.equal((await users.authenticate('ops', made.ops ?? ''))?.login, 'ops');
    }));
});

describe('first passwords', () => {
  const inDirectory = (use: (data: string, path: string) => void): void => {
    const directory = temporaryDirectory('passwords');
    try {
      use(directory.path, initialPasswordsPath(directory.path));
    } finally {
      directory.remove();
    }
  };

  it('that are given are written nowhere', () =>
    inDirectory((data, path) => {
      assert.deepEqual(resolveInitialPasswords(data, given), { _tag: 'Right', right: passwords });
      assert.equal(existsSync(path), false);
    }));

  it('that are made are for their owner to read, and only they', () =>
    inDirectory((data, path) => {
      const made = resolveInitialPasswords(data, { EVENTSTORE_DEFAULT_OPS_PASSWORD: 'opsops' });
      assert.ok(isRight(made));
      assert.ok(made.right.admin.length >= 24);
      assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { admin: made.right.admin });
      assert.equal(statSync(path).mode & 0o777, 0o600);
    }));

  it('stay those of a start that was killed before it wrote the users', () =>
    inDirectory((data) => {
      assert.deepEqual(resolveInitialPasswords(data, {}), resolveInitialPasswords(data, {}));
    }));

  it('are refused when they are empty or the file is damaged, without repeating it', () =>
    inDirectory((data, path) => {
      assert.ok(isLeft(resolveInitialPasswords(data, { ...given, EVENTSTORE_DEFAULT_ADMIN_PASSWORD: '' })));
      writeFileSync(path, '{"admin": "half of a pass');
      const refused = resolveInitialPasswords(data, {});
      assert.ok(isLeft(refused) && !refused.left.includes('half of'));
    }));
});
