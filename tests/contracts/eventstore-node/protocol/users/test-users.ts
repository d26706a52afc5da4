/** Users of a secure server, made for one test each, and what they are answered. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { UsersClient } from '@eventstore/db-client/generated/users_grpc_pb';
import { CreateReq, DisableReq } from '@eventstore/db-client/generated/users_pb';
import { type ServiceError, status } from '@grpc/grpc-js';
import { basic } from '../harness/channel';
import { failure } from '../harness/raw-calls';
import type { Server } from '../harness/server-under-test';

export const denied = failure(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
export const unauthenticated = failure(status.UNAUTHENTICATED, 'Unauthenticated');

export interface Member {
  readonly login: string;
  /** For other services. */
  readonly authorization: string;
  /** Calls as this user. */
  readonly raw: StreamsClient;
}

const answered = (call: (answer: (error: ServiceError | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    call((error) => (error === null ? resolve() : reject(error)));
  });

export const createMember = async (server: Server, groups: readonly string[] = []): Promise<Member> => {
  const account = { login: `member-${randomUUID()}`, password: randomUUID() };
  const options = new CreateReq.Options();
  options.setLoginName(account.login);
  options.setFullName('A member');
  options.setPassword(account.password);
  options.setGroupsList([...groups]);
  const users = server.stub(UsersClient);
  await answered((answer) => users.create(new CreateReq().setOptions(options), answer));
  const authorization = basic(account);
  return { login: account.login, authorization, raw: server.stub(StreamsClient, authorization) };
};

export const disable = async (server: Server, { login }: Member): Promise<void> => {
  const options = new DisableReq.Options();
  options.setLoginName(login);
  const users = server.stub(UsersClient);
  await answered((answer) => users.disable(new DisableReq().setOptions(options), answer));
};

/** Not refused for the caller's rights. */
export const assertAllowed = (answer: object): void => {
  assert.notDeepEqual(answer, denied);
  assert.notDeepEqual(answer, unauthenticated);
};
