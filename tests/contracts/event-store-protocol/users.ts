/** User management on a secure server: what it answers, where it is kept, and to whom it is allowed. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { UsersClient } from '@eventstore/db-client/generated/users_grpc_pb';
import { status } from '@grpc/grpc-js';
import { failure, read } from './calls';
import { basic } from './channel';
import { denied, unauthenticated } from './members';
import { eventsOf, isFailed } from './replies';
import { givenUrl, type Server } from './server';
import { type NewUser, type UserCalls, userCalls } from './user-calls';

const notFound = (login: string) =>
  failure(status.NOT_FOUND, `User '${login}' is not found.`, { exception: 'user-not-found', 'login-name': login });
const conflict = (login: string) =>
  failure(status.FAILED_PRECONDITION, 'Conflict.', { exception: 'user-conflict', 'login-name': login });

const someone = (fields: Partial<NewUser> = {}): NewUser => ({
  login: `user-${randomUUID()}`,
  fullName: 'Some One',
  groups: ['readers', '$ops'],
  password: 'a first password',
  ...fields,
});

const done = (answer: object): void => assert.equal(isFailed(answer), false, JSON.stringify(answer));

export const usersContract = (server: Server): void => {
  const admin = (): UserCalls => userCalls(server.stub(UsersClient));
  const as = (login: string, password: string): UserCalls =>
    userCalls(server.stub(UsersClient, basic({ login, password })));
  const created = async (fields: Partial<NewUser> = {}): Promise<NewUser> => {
    const user = someone(fields);
    done(await admin().create(user));
    return user;
  };
  const detailsOf = async (login: string) => {
    const [found, ...more] = (await admin().details(login)) as readonly [object];
    assert.deepEqual(more, []);
    return found as { readonly lastUpdated: { readonly ticksSinceEpoch: string } };
  };

  it('creates a user that can call, and tells of it', async () => {
    const before = BigInt(Date.now() - 60_000) * 10_000n;
    const { login, fullName, groups, password } = await created();
    const { lastUpdated, ...rest } = await detailsOf(login);
    assert.deepEqual(rest, { loginName: login, fullName, groupsList: groups, disabled: false });
    assert.ok(BigInt(lastUpdated.ticksSinceEpoch) > before);
    assert.deepEqual(await as(login, password).details(login), [{ ...rest, lastUpdated }]);
  });

  it('keeps users in streams of the system', async () => {
    const { login, password } = await created();
    done(await admin().disable(login));
    const { raw } = server;
    const [first, second] = eventsOf(await read(raw(), { stream: `$user-${login}`, count: 3 }));
    assert.deepEqual(
      [first?.getMetadataMap().get('type'), second?.getMetadataMap().get('type')],
      ['$UserCreated', '$UserUpdated'],
    );
    const text = Buffer.from(second?.getData_asU8() ?? []).toString();
    assert.ok(!text.includes(password));
    const { loginName, disabled, groups } = JSON.parse(text) as Record<string, unknown>;
    assert.deepEqual([loginName, disabled, groups], [login, true, ['readers', '$ops']]);
    const [access] = eventsOf(await read(raw(), { stream: `$$$user-${login}`, count: 1 }));
    assert.deepEqual(JSON.parse(Buffer.from(access?.getData_asU8() ?? []).toString()), {
      $acl: { $w: '$admins', $d: '$admins', $mw: '$admins' },
    });
    const listed = eventsOf(await read(raw(), { stream: '$users', count: 1_000 }));
    const own = listed.find((event) => Buffer.from(event.getData_asU8()).toString() === login);
    assert.equal(own?.getMetadataMap().get('type'), '$User');
    assert.equal(own.getMetadataMap().get('content-type'), 'application/octet-stream');
  });

  it('creates the same user again, and refuses another of that name', async () => {
    const user = await created();
    done(await admin().create(user));
    assert.deepEqual(await admin().create({ ...user, password: 'another' }), conflict(user.login));
  });

  it('changes name and groups, and no password', async () => {
    const { login, password } = await created();
    done(await admin().update({ login, fullName: 'Other Name', groups: ['a', 'b'] }));
    const [found] = (await as(login, password).details(login)) as readonly { fullName: string; groupsList: string[] }[];
    assert.deepEqual([found?.fullName, found?.groupsList], ['Other Name', ['a', 'b']]);
  });

  it('knows a disabled user no more, and an enabled one again', async () => {
    const { login, password } = await created();
    done(await as(login, password).details(login));
    done(await admin().disable(login));
    assert.deepEqual(await as(login, password).details(login), unauthenticated);
    done(await admin().enable(login));
    done(await as(login, password).details(login));
  });

  it('lets users change their own password, who know it, and administrators reset it', async () => {
    const { login, password } = await created();
    assert.deepEqual(await as(login, password).changePassword(login, 'wrong', 'second'), denied);
    done(await as(login, password).changePassword(login, password, 'second'));
    assert.deepEqual(await as(login, password).details(login), unauthenticated);
    done(await as(login, 'second').details(login));
    done(await admin().changePassword(login, 'second', 'third'));
    done(await admin().resetPassword(login, 'fourth'));
    assert.deepEqual(await as(login, 'third').details(login), unauthenticated);
    done(await as(login, 'fourth').details(login));
  });

  it('deletes a user, whose name can be used anew', async () => {
    const user = await created();
    done(await admin().remove(user.login));
    assert.deepEqual(await as(user.login, user.password).details(user.login), unauthenticated);
    assert.deepEqual(await admin().details(user.login), notFound(user.login));
    done(await admin().create({ ...user, password: 'of the next' }));
    assert.deepEqual(await as(user.login, user.password).details(user.login), unauthenticated);
    done(await as(user.login, 'of the next').details(user.login));
    const all = (await admin().details('')) as readonly { readonly loginName: string }[];
    assert.equal(all.filter(({ loginName }) => loginName === user.login).length, 1);
  });

  it('lists everybody by login, the first users too', async () => {
    const { login } = await created();
    const all = (await admin().details('')) as readonly { readonly loginName: string; readonly fullName: string }[];
    const logins = all.map(({ loginName }) => loginName);
    assert.deepEqual(logins, [...logins].sort());
    for (const expected of ['admin', 'ops', login]) assert.ok(logins.includes(expected), expected);
    assert.equal(all.find(({ loginName }) => loginName === 'ops')?.fullName, 'Event Store Operations');
  });

  it('finds nobody who is not there', async () => {
    const login = `nobody-${randomUUID()}`;
    for (const answer of await everyChange(admin(), login)) assert.deepEqual(answer, notFound(login));
    assert.deepEqual(await admin().details(login), notFound(login));
    assert.deepEqual(await admin().changePassword(login, 'a', 'b'), notFound(login));
  });

  it('is for administrators only', async () => {
    const { login } = await created();
    const { login: operator, password } = await created({ groups: ['$ops'] });
    const nobody = userCalls(server.stub(UsersClient, ''));
    for (const calls of [as(operator, password), nobody]) {
      for (const answer of await everyChange(calls, login)) assert.deepEqual(answer, denied);
      assert.deepEqual(await calls.create(someone()), denied);
    }
    assert.deepEqual(await nobody.details(login), denied);
    assert.deepEqual(await nobody.changePassword(login, 'a first password', 'b'), denied);
    assert.deepEqual(await as(operator, 'wrong').remove(login), unauthenticated);
  });

  // A real node tells every user of every other, and hashes whatever it is given.
  describe('here', () => {
    before(function () {
      if (givenUrl !== undefined) this.skip();
    });

    it('tells users of themselves only', async () => {
      const { login } = await created();
      const { login: other, password } = await created();
      for (const asked of [login, '', 'nobody']) assert.deepEqual(await as(other, password).details(asked), denied);
      assert.deepEqual(await as(other, password).changePassword(login, 'a first password', 'b'), denied);
    });

    it('refuses names and passwords that are of no use, and never repeats a password', async () => {
      const long = 'secret'.repeat(1_000);
      for (const fields of [{ password: '' }, { password: long }, { login: '' }, { login: 'a:b' }]) {
        const answer = await admin().create(someone(fields));
        assert.ok(isFailed(answer) && answer.code === status.INVALID_ARGUMENT);
        assert.ok(!JSON.stringify(answer).includes('secret'));
      }
      const { login, password } = await created();
      for (const answer of [
        await admin().resetPassword(login, ''),
        await as(login, password).changePassword(login, password, long),
      ])
        assert.ok(isFailed(answer) && answer.code === status.INVALID_ARGUMENT);
    });

    it('names whom it did not find in any script', async () => {
      const answer = await admin().details('Зоя');
      assert.ok(isFailed(answer));
      assert.equal(decodeURIComponent(answer.trailers['login-name'] ?? ''), 'Зоя');
    });
  });
};

/** What changes a user that is there. */
const everyChange = async (calls: UserCalls, login: string): Promise<readonly object[]> => [
  await calls.update({ login, fullName: '', groups: [] }),
  await calls.disable(login),
  await calls.enable(login),
  await calls.resetPassword(login, 'whatever'),
  await calls.remove(login),
];
