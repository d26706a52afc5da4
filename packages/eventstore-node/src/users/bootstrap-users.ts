/** Creates the users that every secure node has, at its first start. */

import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Storage } from '../storage/storage';
import { isMissing } from '../storage/streams/stream-heads';
import type { Writer } from '../storage/writer';
import { hashPassword, passwordProblem, type ScryptParameters } from './password-hash';
import { writeUserAcl, writeUserCreated, writeUserListed } from './user-events';
import { streamOfUser } from './user-record';

export interface BootstrapDeps {
  readonly storage: Storage;
  readonly writer: Writer;
  /** The cost of the first passwords' hashes. */
  readonly strength?: ScryptParameters | undefined;
}

const standardUsers = [
  { login: 'admin', fullName: 'Event Store Administrator', groups: ['$admins'] },
  { login: 'ops', fullName: 'Event Store Operations', groups: ['$ops'] },
] as const;

/** Users that never existed: one that an administrator deleted stays deleted. */
const missingUsers = ({ heads }: Pick<Storage, 'heads'>) =>
  standardUsers.filter(({ login }) => {
    const head = heads.get(streamOfUser(login));
    return isMissing(head) && head?.tombstoned !== true;
  });

/** Creates all or none in one transaction. Left is the disk's reason for refusing. */
export const createStandardUsers = async (
  { storage, writer, strength }: BootstrapDeps,
  passwords: InitialPasswords,
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
    for (const { login } of users) writeUserAcl(transaction, login);
    for (const user of users) writeUserCreated(transaction, user);
    for (const { login } of users) writeUserListed(transaction, login);
  });
  return outcome?.kind === 'refused' ? left(`The first users cannot be written: ${outcome.reason}`) : right(undefined);
};

/** Runs at every start of a secure node; passwords are only needed where users are missing. */
export const ensureStandardUsers = async (
  node: BootstrapDeps,
  data: string,
  env: NodeJS.ProcessEnv,
): Promise<Either<string, undefined>> => {
  if (missingUsers(node.storage).length === 0) return right(undefined);
  const passwords = resolveInitialPasswords(data, env);
  if (isLeft(passwords)) return passwords;
  return createStandardUsers(node, passwords.right);
};

/** The first passwords of the users that every node has: configured or generated. */
export interface InitialPasswords {
  readonly admin: string;
  readonly ops: string;
}

/** EventStoreDB's names. */
const variables = { admin: 'EVENTSTORE_DEFAULT_ADMIN_PASSWORD', ops: 'EVENTSTORE_DEFAULT_OPS_PASSWORD' } as const;
type Login = keyof InitialPasswords;
type GeneratedPasswords = Partial<Record<Login, string>>;

export const initialPasswordsPath = (data: string): string => join(data, 'first-passwords.json');

/** Passwords of an earlier start that was killed after it wrote the file and before it created the users. */
const readGeneratedPasswords = (path: string): Either<string, GeneratedPasswords> => {
  if (!existsSync(path)) return right({});
  try {
    const { admin, ops } = JSON.parse(readFileSync(path, 'utf8')) as Record<Login, unknown>;
    const saved = { ...(typeof admin === 'string' ? { admin } : {}), ...(typeof ops === 'string' ? { ops } : {}) };
    return right(saved);
  } catch {
    return left(`${path} is not what was written there; remove it to have new passwords made.`);
  }
};

/** On disk before any user has one of them. */
const saveGeneratedPasswords = (data: string, path: string, generated: GeneratedPasswords): void => {
  writeFileSync(`${path}.new`, `${JSON.stringify(generated, undefined, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  const directory = openSync(data, 'r');
  fsyncSync(directory);
  closeSync(directory);
};

/** Left is a sentence for the person who started the node. */
export const resolveInitialPasswords = (data: string, env: NodeJS.ProcessEnv): Either<string, InitialPasswords> => {
  const path = initialPasswordsPath(data);
  const saved = readGeneratedPasswords(path);
  if (isLeft(saved)) return saved;
  const generated: GeneratedPasswords = {};
  const passwordOf = (login: Login): string => {
    const configured = env[variables[login]];
    if (configured !== undefined) return configured;
    const password = saved.right[login] ?? randomBytes(18).toString('base64url');
    generated[login] = password;
    return password;
  };
  const passwords = { admin: passwordOf('admin'), ops: passwordOf('ops') };
  for (const login of ['admin', 'ops'] as const) {
    const problem = passwordProblem(passwords[login]);
    if (problem !== undefined) return left(`${variables[login]}: ${problem}`);
  }
  if (Object.keys(generated).some((login) => saved.right[login as Login] === undefined))
    saveGeneratedPasswords(data, path, generated);
  return right(passwords);
};
