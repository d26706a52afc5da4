/** User management on a secure server: responses and storage. */
import assert from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import { failure, read } from '../harness/raw-calls';
import { eventsOf } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { done, notFound, usersOf } from './managed-users';
import { denied, unauthenticated } from './test-users';

const conflict = (login: string) =>
  failure(status.FAILED_PRECONDITION, 'Conflict.', { exception: 'user-conflict', 'login-name': login });

export const usersContract = (server: Server): void => {
  const { admin, as, created } = usersOf(server);
  const detailsOf = async (login: string) => {
    const [found, ...more] = (await admin().details(login)) as readonly [object];
    assert.deepEqual(more, []);
    return found as { readonly lastUpdated: { readonly ticksSinceEpoch: string } };
  };

  it('creates a user that can call, and shows it', async () => {
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

  it('deletes a user, whose name can be used again', async () => {
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
};
