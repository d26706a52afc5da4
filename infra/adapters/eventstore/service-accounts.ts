/**
 * The accounts of our own processes on a secure server: one that appends, and one that can only read, for whatever has no
 * business writing. Made by what EventStoreDB itself has: users, a group, and `$settings`.
 */
import { type EventStoreDBClient, jsonEvent, NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client';
import { UsersClient } from '@eventstore/db-client/generated/users_grpc_pb';
import { CreateReq, ResetPasswordReq } from '@eventstore/db-client/generated/users_pb';
import type { CallOptions, Metadata, ServiceError } from '@grpc/grpc-js';
import { connect, connectionOf, disconnect } from '../../../packages/eventstore-node/src/client';

export interface Account {
  readonly login: string;
  readonly password: string;
}

export interface Accounts {
  readonly writer: Account;
  readonly reader: Account;
}

const writers = 'septet-writers';
const allUsers = '$all';

/** All users read user streams and the log; only the group writes. System streams keep their rules. */
const settings = {
  $userStreamAcl: { $r: allUsers, $w: writers, $d: writers, $mr: allUsers, $mw: writers },
};
const logMetadata = { acl: { readRoles: [allUsers] } };

/** What an operator has set already stays. */
const unlessThere = async (write: Promise<unknown>): Promise<void> => {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof WrongExpectedVersionError)) throw error;
  }
};

type Answer = (error: ServiceError | null) => void;
type UsersCall = (users: UsersClient, metadata: Metadata, options: CallOptions, answer: Answer) => unknown;

const callUsers = async (admin: EventStoreDBClient, call: UsersCall): Promise<void> => {
  const users = await connectionOf(admin).getGRPCClient(UsersClient, 'users');
  const [metadata, options] = connectionOf(admin).callArguments({}, {});
  await new Promise<void>((resolve, reject) => {
    call(users, metadata, options, (error) => (error === null ? resolve() : reject(error)));
  });
};

const create = ({ login, password }: Account, groups: readonly string[]): CreateReq => {
  const options = new CreateReq.Options();
  options.setLoginName(login);
  options.setFullName(login);
  options.setPassword(password);
  options.setGroupsList([...groups]);
  return new CreateReq().setOptions(options);
};

const reset = ({ login, password }: Account): ResetPasswordReq => {
  const options = new ResetPasswordReq.Options();
  options.setLoginName(login);
  options.setNewPassword(password);
  return new ResetPasswordReq().setOptions(options);
};

const isConflict = (error: unknown): boolean =>
  (error as Partial<ServiceError>).metadata?.get('exception')[0] === 'user-conflict';

/** A user with another password gets the new one: the old secret was lost. */
const ensure = async (admin: EventStoreDBClient, account: Account, groups: readonly string[]): Promise<void> => {
  try {
    await callUsers(admin, (users, metadata, options, answer) =>
      users.create(create(account, groups), metadata, options, answer),
    );
  } catch (error) {
    if (!isConflict(error)) throw error;
    await callUsers(admin, (users, metadata, options, answer) =>
      users.resetPassword(reset(account), metadata, options, answer),
    );
  }
};

/** `url` is an administrator's. May be called at every start. */
export const ensureAccounts = async (url: string, { writer, reader }: Accounts): Promise<void> => {
  const admin = connect(url);
  try {
    const event = jsonEvent({ type: '$settings', data: settings });
    await unlessThere(admin.appendToStream('$settings', event, { expectedRevision: NO_STREAM }));
    await unlessThere(admin.setStreamMetadata('$all', logMetadata, { expectedRevision: NO_STREAM }));
    // In this order, so that no account exists before the rules.
    await ensure(admin, writer, [writers]);
    await ensure(admin, reader, []);
  } finally {
    await disconnect(admin);
  }
};
