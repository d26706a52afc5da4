/** Users of a secure server, made for one test each, and who manages them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { UsersClient } from '@eventstore/db-client/generated/users_grpc_pb';
import { status } from '@grpc/grpc-js';
import { basic } from '../harness/channel';
import { failure } from '../harness/raw-calls';
import { isFailed } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { type NewUser, type UserCalls, userCalls } from './user-calls';

export const notFound = (login: string) =>
  failure(status.NOT_FOUND, `User '${login}' is not found.`, { exception: 'user-not-found', 'login-name': login });

export const someone = (fields: Partial<NewUser> = {}): NewUser => ({
  login: `user-${randomUUID()}`,
  fullName: 'Some One',
  groups: ['readers', '$ops'],
  password: 'a first password',
  ...fields,
});

export const done = (answer: object): void => assert.equal(isFailed(answer), false, JSON.stringify(answer));

export const usersOf = (server: Server) => {
  const admin = (): UserCalls => userCalls(server.stub(UsersClient));
  const as = (login: string, password: string): UserCalls =>
    userCalls(server.stub(UsersClient, basic({ login, password })));
  const created = async (fields: Partial<NewUser> = {}): Promise<NewUser> => {
    const user = someone(fields);
    done(await admin().create(user));
    return user;
  };
  return { admin, as, created };
};
