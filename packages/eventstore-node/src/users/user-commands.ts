/** Changes users, each in one transaction. */
import { softDelete } from '../storage/delete';
import { isReadable } from '../storage/read-pages';
import type { Storage } from '../storage/storage';
import { isTombstoned } from '../storage/streams/stream-heads';
import type { Transaction, WriteRefused, Writer } from '../storage/writer';
import type { ConcurrencyLimit } from './concurrency-limit';
import { hashPassword, passwordProblem, type ScryptParameters, verifyPassword } from './password-hash';
import { writePasswordChanged, writeUserAcl, writeUserCreated, writeUserListed, writeUserUpdated } from './user-events';
import { findUser, type StoredUser, streamOfUser, type User } from './user-record';
import { detailsProblem, type NewUser, userProblem } from './user-validation';

export type UserOutcome =
  | { readonly kind: 'done' | 'not-found' | 'conflict' | 'denied' }
  | { readonly kind: 'invalid'; readonly problem: string }
  | WriteRefused;

export interface PasswordChange {
  readonly login: string;
  readonly current: string;
  readonly next: string;
}

export interface UserCommands {
  /** Also succeeds when the user exists with this password. */
  readonly create: (user: NewUser) => Promise<UserOutcome>;
  readonly update: (user: Omit<NewUser, 'password'>) => Promise<UserOutcome>;
  readonly setDisabled: (login: string, disabled: boolean) => Promise<UserOutcome>;
  readonly remove: (login: string) => Promise<UserOutcome>;
  readonly resetPassword: (login: string, password: string) => Promise<UserOutcome>;
  readonly changePassword: (change: PasswordChange) => Promise<UserOutcome>;
}

export interface UserCommandDeps {
  readonly storage: Storage;
  readonly writer: Writer;
  readonly limit: ConcurrencyLimit;
  readonly strength: ScryptParameters;
}

const done: UserOutcome = { kind: 'done' };
const notFound: UserOutcome = { kind: 'not-found' };
const conflict: UserOutcome = { kind: 'conflict' };
const denied: UserOutcome = { kind: 'denied' };
const invalid = (problem: string): UserOutcome => ({ kind: 'invalid', problem });

type Change = (user: StoredUser) => User | UserOutcome;

/** EventStoreDB notifies other nodes of every change except enabling a user. */
const changeUser = ({ writer }: UserCommandDeps, login: string, change: Change, quiet = false): Promise<UserOutcome> =>
  writer.write((transaction) => {
    const user = findUser(transaction, login);
    if (user === undefined) return notFound;
    const changed = change(user);
    if ('kind' in changed) return changed;
    writeUserUpdated(transaction, changed);
    if (!quiet) writePasswordChanged(transaction, login);
    return done;
  });

const createUser = async (
  { storage, writer, limit, strength }: UserCommandDeps,
  user: NewUser,
): Promise<UserOutcome> => {
  const problem = userProblem(user);
  if (problem !== undefined) return invalid(problem);
  const { password, ...details } = user;
  const existing = findUser(storage, user.login);
  if (existing !== undefined) return (await limit(() => verifyPassword(password, existing))) ? done : conflict;
  const created = { ...details, ...(await limit(() => hashPassword(password, strength))), disabled: false };
  return writer.write((transaction): UserOutcome => {
    const stream = streamOfUser(user.login);
    if (isTombstoned(transaction.heads, stream) || isReadable(transaction.heads.get(stream))) return conflict;
    writeUserAcl(transaction, user.login);
    writeUserCreated(transaction, created);
    writeUserListed(transaction, user.login);
    return done;
  });
};

const removeUser =
  (login: string) =>
  (transaction: Transaction): UserOutcome => {
    if (findUser(transaction, login) === undefined) return notFound;
    softDelete({ stream: streamOfUser(login), expected: 'any' })(transaction);
    writePasswordChanged(transaction, login);
    return done;
  };

const resetPassword = async (deps: UserCommandDeps, login: string, password: string): Promise<UserOutcome> => {
  const problem = passwordProblem(password);
  if (problem !== undefined) return invalid(problem);
  if (findUser(deps.storage, login) === undefined) return notFound;
  const hash = await deps.limit(() => hashPassword(password, deps.strength));
  return changeUser(deps, login, (user) => ({ ...user, ...hash }));
};

const changePassword = async (
  deps: UserCommandDeps,
  { login, current, next }: PasswordChange,
): Promise<UserOutcome> => {
  const problem = passwordProblem(next);
  if (problem !== undefined) return invalid(problem);
  const found = findUser(deps.storage, login);
  if (found === undefined) return notFound;
  if (passwordProblem(current) !== undefined || !(await deps.limit(() => verifyPassword(current, found))))
    return denied;
  const hash = await deps.limit(() => hashPassword(next, deps.strength));
  return changeUser(deps, login, (user) => (user.stamp === found.stamp ? { ...user, ...hash } : conflict));
};

export const createUserCommands = (deps: UserCommandDeps): UserCommands => ({
  create: (user) => createUser(deps, user),
  update: ({ login, fullName, groups }) => {
    const problem = detailsProblem({ fullName, groups });
    if (problem !== undefined) return Promise.resolve(invalid(problem));
    return changeUser(deps, login, (user) => ({ ...user, fullName, groups }));
  },
  setDisabled: (login, disabled) => changeUser(deps, login, (user) => ({ ...user, disabled }), !disabled),
  remove: (login) => deps.writer.write(removeUser(login)),
  resetPassword: (login, password) => resetPassword(deps, login, password),
  changePassword: (change) => changePassword(deps, change),
});
