/** The users that every secure node has, made at its first start. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { isMissing } from '../storage/heads';
import type { Storage } from '../storage/storage';
import type { Writer } from '../storage/writer';
import { writeAccess, writeCreated, writeListed } from './events';
import { type FirstPasswords, firstPasswords } from './first-passwords';
import { hashPassword, type ScryptParameters } from './passwords';
import { streamOfUser } from './user';

export interface NewNode {
  readonly storage: Storage;
  readonly writer: Writer;
  /** Of the first passwords' hashes. */
  readonly strength?: ScryptParameters | undefined;
}

const standardUsers = [
  { login: 'admin', fullName: 'Event Store Administrator', groups: ['$admins'] },
  { login: 'ops', fullName: 'Event Store Operations', groups: ['$ops'] },
] as const;

/** Never there: one that an administrator deleted stays away. */
const missingUsers = ({ heads }: Pick<Storage, 'heads'>) =>
  standardUsers.filter(({ login }) => {
    const head = heads.get(streamOfUser(login));
    return isMissing(head) && head?.tombstoned !== true;
  });

/** All of them or none, in one transaction. Left is why the disk refused. */
export const createFirstUsers = async (
  { storage, writer, strength }: NewNode,
  passwords: FirstPasswords,
): Promise<Either<string, undefined>> => {
  const hashed = await Promise.all(
    missingUsers(storage).map(async (user) => ({
      ...user,
      ...(await hashPassword(passwords[user.login], strength)),
      disabled: false,
    })),
  );
  if (hashed.length === 0) return right(undefined);
  const outcome = await writer.write((transaction) => {
    const missing = new Set<string>(missingUsers(transaction).map(({ login }) => login));
    const users = hashed.filter(({ login }) => missing.has(login));
    for (const { login } of users) writeAccess(transaction, login);
    for (const user of users) writeCreated(transaction, user);
    for (const { login } of users) writeListed(transaction, login);
  });
  return outcome?.kind === 'refused' ? left(`The first users cannot be written: ${outcome.reason}`) : right(undefined);
};

/** At every start of a secure node: passwords are looked for only where users are missing. */
export const prepareUsers = async (
  node: NewNode,
  data: string,
  env: NodeJS.ProcessEnv,
): Promise<Either<string, undefined>> => {
  if (missingUsers(node.storage).length === 0) return right(undefined);
  const passwords = firstPasswords(data, env);
  if (isLeft(passwords)) return passwords;
  return createFirstUsers(node, passwords.right);
};
