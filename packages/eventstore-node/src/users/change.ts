/** Changes of users: each is one transaction, so that no half of it is ever there. */
import { softDelete } from '../storage/delete';
import { isEnded } from '../storage/heads';
import { isReadable } from '../storage/read';
import type { Storage } from '../storage/storage';
import type { Refused, Transaction, Writer } from '../storage/writer';
import { notifyOfChange, writeAccess, writeCreated, writeListed, writeUpdated } from './events';
import type { Limit } from './limit';
import { detailsProblem, type NewUser, userProblem } from './names';
import { hashPassword, isPassword, passwordProblem, type ScryptParameters } from './passwords';
import { findUser, type StoredUser, streamOfUser, type User } from './user';

export type Outcome =
  | { readonly kind: 'done' | 'not-found' | 'conflict' | 'denied' }
  | { readonly kind: 'invalid'; readonly problem: string }
  | Refused;

export interface PasswordChange {
  readonly login: string;
  readonly current: string;
  readonly next: string;
}

export interface UserChanges {
  /** Done as well when the user is there and has this password. */
  readonly create: (user: NewUser) => Promise<Outcome>;
  readonly update: (user: Omit<NewUser, 'password'>) => Promise<Outcome>;
  readonly setDisabled: (login: string, disabled: boolean) => Promise<Outcome>;
  readonly remove: (login: string) => Promise<Outcome>;
  readonly resetPassword: (login: string, password: string) => Promise<Outcome>;
  readonly changePassword: (change: PasswordChange) => Promise<Outcome>;
}

export interface ChangingUsers {
  readonly storage: Storage;
  readonly writer: Writer;
  readonly limit: Limit;
  readonly strength: ScryptParameters;
}

const done: Outcome = { kind: 'done' };
const notFound: Outcome = { kind: 'not-found' };
const conflict: Outcome = { kind: 'conflict' };
const denied: Outcome = { kind: 'denied' };
const invalid = (problem: string): Outcome => ({ kind: 'invalid', problem });

type Change = (user: StoredUser) => User | Outcome;

/** A real node tells others of every change but that a user is enabled again. */
const changeUser = ({ writer }: ChangingUsers, login: string, change: Change, quiet = false): Promise<Outcome> =>
  writer.write((transaction) => {
    const user = findUser(transaction, login);
    if (user === undefined) return notFound;
    const changed = change(user);
    if ('kind' in changed) return changed;
    writeUpdated(transaction, changed);
    if (!quiet) notifyOfChange(transaction, login);
    return done;
  });

const createUser = async ({ storage, writer, limit, strength }: ChangingUsers, user: NewUser): Promise<Outcome> => {
  const problem = userProblem(user);
  if (problem !== undefined) return invalid(problem);
  const { password, ...details } = user;
  const existing = findUser(storage, user.login);
  if (existing !== undefined) return (await limit(() => isPassword(password, existing))) ? done : conflict;
  const created = { ...details, ...(await limit(() => hashPassword(password, strength))), disabled: false };
  return writer.write((transaction): Outcome => {
    const stream = streamOfUser(user.login);
    if (isEnded(transaction.heads, stream) || isReadable(transaction.heads.get(stream))) return conflict;
    writeAccess(transaction, user.login);
    writeCreated(transaction, created);
    writeListed(transaction, user.login);
    return done;
  });
};

const removeUser =
  (login: string) =>
  (transaction: Transaction): Outcome => {
    if (findUser(transaction, login) === undefined) return notFound;
    softDelete({ stream: streamOfUser(login), expected: 'any' })(transaction);
    notifyOfChange(transaction, login);
    return done;
  };

const resetPassword = async (changing: ChangingUsers, login: string, password: string): Promise<Outcome> => {
  const problem = passwordProblem(password);
  if (problem !== undefined) return invalid(problem);
  if (findUser(changing.storage, login) === undefined) return notFound;
  const hash = await changing.limit(() => hashPassword(password, changing.strength));
  return changeUser(changing, login, (user) => ({ ...user, ...hash }));
};

const changePassword = async (changing: ChangingUsers, { login, current, next }: PasswordChange): Promise<Outcome> => {
  const problem = passwordProblem(next);
  if (problem !== undefined) return invalid(problem);
  const found = findUser(changing.storage, login);
  if (found === undefined) return notFound;
  if (passwordProblem(current) !== undefined || !(await changing.limit(() => isPassword(current, found))))
    return denied;
  const hash = await changing.limit(() => hashPassword(next, changing.strength));
  return changeUser(changing, login, (user) => (user.stamp === found.stamp ? { ...user, ...hash } : conflict));
};

export const createUserChanges = (changing: ChangingUsers): UserChanges => ({
  create: (user) => createUser(changing, user),
  update: ({ login, fullName, groups }) => {
    const problem = detailsProblem({ fullName, groups });
    if (problem !== undefined) return Promise.resolve(invalid(problem));
    return changeUser(changing, login, (user) => ({ ...user, fullName, groups }));
  },
  setDisabled: (login, disabled) => changeUser(changing, login, (user) => ({ ...user, disabled }), !disabled),
  remove: (login) => changing.writer.write(removeUser(login)),
  resetPassword: (login, password) => resetPassword(changing, login, password),
  changePassword: (change) => changePassword(changing, change),
});
