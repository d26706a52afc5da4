/** The runner's credential: got once for a registration token, then kept in a file that only its user reads. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decodeStored, record, text } from '../../../../domain/kernel/codec';
import { RunnerId } from '../../../../domain/workflow/ids';
import { type RegisterRunner, runnerProtocol } from '../../../../domain/workflow/protocol/runner';
import { register } from './requests';

const Credential = record('RunnerCredentialFile', {
  /** The installation: its address, or the name that stands for it. */
  url: text('RunnerServiceUrl', { maxLength: 2_000 }),
  runnerId: RunnerId,
  credential: text('RunnerCredential', { maxLength: 200 }),
});

export interface Credential {
  readonly url: string;
  readonly runnerId: RunnerId;
  readonly credential: string;
}

const readableByOthers = 0o077;

const pathIn = (directory: string): string => join(directory, 'credential.json');

const readCredential = (directory: string): Either<string, Credential | undefined> => {
  const path = pathIn(directory);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return right(undefined);
  if ((stats.mode & readableByOthers) !== 0)
    return left(`Other users can read the credential: run chmod 600 ${path}, or remove it and register again.`);
  try {
    const decoded = decodeStored(Credential, JSON.parse(readFileSync(path, 'utf8')));
    return isLeft(decoded) ? left(`${path} is not a credential.`) : right(decoded.right);
  } catch {
    return left(`${path} is not a credential.`);
  }
};

const writeCredential = (directory: string, credential: Credential): void => {
  const temporary = `${pathIn(directory)}.${randomUUID()}`;
  writeFileSync(temporary, `${JSON.stringify(credential)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, pathIn(directory));
};

export interface RegistrationOptions extends Omit<RegisterRunner, 'token' | 'protocol'> {
  readonly url: string;
  readonly installation: string;
  readonly directory: string;
  readonly token: string | undefined;
}

/** The stored credential of this service; without one, the token is used up for a new one. Left: why there is none. */
export const obtainCredential = async ({
  url,
  installation,
  directory,
  token,
  ...runner
}: RegistrationOptions): Promise<Either<string, Credential>> => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const stored = readCredential(directory);
  if (isLeft(stored)) return stored;
  if (stored.right !== undefined && stored.right.url === installation) return right(stored.right);
  if (token === undefined)
    return left(
      stored.right === undefined
        ? 'The runner is not registered: a registration token is needed once.'
        : `The runner is registered at ${stored.right.url}: for ${installation} it needs a registration token, or another directory.`,
    );
  const answer = await register(url, { ...runner, token, protocol: runnerProtocol });
  if (answer.kind === 'unavailable') return left(answer.detail);
  if (answer.kind !== 'ok') {
    const reason = answer.kind === 'refused' ? `${answer.code}: ${answer.detail}` : 'the token is no longer valid';
    return left(`The registration was refused: ${reason}`);
  }
  const credential = { url: installation, ...answer.value };
  writeCredential(directory, credential);
  return right(credential);
};
