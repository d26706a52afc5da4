/** The passwords of the users that every node has, given or made. */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { passwordProblem } from './passwords';

export interface FirstPasswords {
  readonly admin: string;
  readonly ops: string;
}

/** As EventStoreDB names them. */
const variables = { admin: 'EVENTSTORE_DEFAULT_ADMIN_PASSWORD', ops: 'EVENTSTORE_DEFAULT_OPS_PASSWORD' } as const;
type Login = keyof FirstPasswords;
type Kept = Partial<Record<Login, string>>;

export const fileOfFirstPasswords = (data: string): string => join(data, 'first-passwords.json');

/** From a start that was killed after the file and before the users. */
const keptIn = (path: string): Either<string, Kept> => {
  if (!existsSync(path)) return right({});
  try {
    const { admin, ops } = JSON.parse(readFileSync(path, 'utf8')) as Record<Login, unknown>;
    const kept = { ...(typeof admin === 'string' ? { admin } : {}), ...(typeof ops === 'string' ? { ops } : {}) };
    return right(kept);
  } catch {
    return left(`${path} is not what was written there; remove it to have new passwords made.`);
  }
};

/** On disk before any user has one of them. */
const keep = (data: string, path: string, made: Kept): void => {
  writeFileSync(`${path}.new`, `${JSON.stringify(made, undefined, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  const directory = openSync(data, 'r');
  fsyncSync(directory);
  closeSync(directory);
};

/** Left is a sentence for who started the node. */
export const firstPasswords = (data: string, env: NodeJS.ProcessEnv): Either<string, FirstPasswords> => {
  const path = fileOfFirstPasswords(data);
  const kept = keptIn(path);
  if (isLeft(kept)) return kept;
  const made: Kept = {};
  const passwordOf = (login: Login): string => {
    const given = env[variables[login]];
    if (given !== undefined) return given;
    const password = kept.right[login] ?? randomBytes(18).toString('base64url');
    made[login] = password;
    return password;
  };
  const passwords = { admin: passwordOf('admin'), ops: passwordOf('ops') };
  for (const login of ['admin', 'ops'] as const) {
    const problem = passwordProblem(passwords[login]);
    if (problem !== undefined) return left(`${variables[login]}: ${problem}`);
  }
  if (Object.keys(made).some((login) => kept.right[login as Login] === undefined)) keep(data, path, made);
  return right(passwords);
};
