/** Rights to manage users, and invalid users. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { UsersClient } from '@eventstore/db-client/generated/users_grpc_pb';
import { status } from '@grpc/grpc-js';
import { skip } from '../../../../support/runner/skip';
import { isFailed } from '../harness/replies';
import { foreignLog, givenUrl, type Server } from '../harness/server-under-test';
import { notFound, someone, usersOf } from './managed-users';
import { denied, unauthenticated } from './test-users';
import { type UserCalls, userCalls } from './user-calls';

/** What changes a user that is there. */
const everyChange = async (calls: UserCalls, login: string): Promise<readonly object[]> => [
  await calls.update({ login, fullName: '', groups: [] }),
  await calls.disable(login),
  await calls.enable(login),
  await calls.resetPassword(login, 'whatever'),
  await calls.remove(login),
];

export const userRightsContract = (server: Server): void => {
  const { admin, as, created } = usersOf(server);

  it('does not find a missing user', async () => {
    const login = `nobody-${randomUUID()}`;
    for (const answer of await everyChange(admin(), login)) assert.deepEqual(answer, notFound(login));
    assert.deepEqual(await admin().details(login), notFound(login));
    assert.deepEqual(await admin().changePassword(login, 'a', 'b'), notFound(login));
  });

  it('is for administrators only', async () => {
    const { login } = await created();
    const { login: operator, password } = await created({ groups: ['$ops'] });
    const anonymous = userCalls(server.stub(UsersClient, ''));
    for (const calls of [as(operator, password), anonymous]) {
      for (const answer of await everyChange(calls, login)) assert.deepEqual(answer, denied);
      assert.deepEqual(await calls.create(someone()), denied);
    }
    assert.deepEqual(await anonymous.details(login), denied);
    assert.deepEqual(await anonymous.changePassword(login, 'a first password', 'b'), denied);
    assert.deepEqual(await as(operator, 'wrong').remove(login), unauthenticated);
  });

  // A real node shows every user to every other, and hashes a password of any length.
  describe('here', () => {
    before(function () {
      if (givenUrl !== undefined) skip(this, foreignLog);
    });

    it('shows users only themselves', async () => {
      const { login } = await created();
      const { login: other, password } = await created();
      for (const name of [login, '', 'nobody']) assert.deepEqual(await as(other, password).details(name), denied);
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

    it('names a missing user in any script', async () => {
      const answer = await admin().details('Зоя');
      assert.ok(isFailed(answer));
      assert.equal(decodeURIComponent(answer.trailers['login-name'] ?? ''), 'Зоя');
    });
  });
};
