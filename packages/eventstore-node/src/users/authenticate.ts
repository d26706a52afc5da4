/** Checks passwords: with the slow hash once, then from memory as long as nothing of the user changes. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Storage } from '../storage/storage';
import type { ConcurrencyLimit } from './concurrency-limit';
import { dummyHash, passwordProblem, type ScryptParameters, verifyPassword } from './password-hash';
import { currentStamp, findUser } from './user-record';

export interface Identity {
  readonly login: string;
  readonly groups: readonly string[];
}

interface VerifiedPassword {
  readonly identity: Identity;
  readonly digest: Buffer;
  readonly stamp: string;
}

const maxVerifiedPasswords = 1_000;

/** The last correct password of each of the most recently checked users. */
const createVerifiedPasswordCache = () => {
  const byLogin = new Map<string, VerifiedPassword>();
  return {
    get: (login: string): VerifiedPassword | undefined => byLogin.get(login),
    set: (known: VerifiedPassword): void => {
      byLogin.delete(known.identity.login);
      byLogin.set(known.identity.login, known);
      if (byLogin.size > maxVerifiedPasswords) byLogin.delete(byLogin.keys().next().value as string);
    },
  };
};

export type Authenticate = (login: string, password: string) => Promise<Identity | undefined>;

interface AuthenticationDeps {
  readonly storage: Storage;
  readonly limit: ConcurrencyLimit;
  readonly strength: ScryptParameters;
}

export const createAuthenticate = ({ storage, limit, strength }: AuthenticationDeps): Authenticate => {
  const dummy = dummyHash(strength);
  const key = randomBytes(32);
  const verified = createVerifiedPasswordCache();
  const pendingChecks = new Map<string, Promise<Identity | undefined>>();
  const verify = async (login: string, password: string, digest: Buffer): Promise<Identity | undefined> => {
    const user = findUser(storage, login);
    const matches = await verifyPassword(password, user ?? dummy);
    if (!matches || user === undefined || user.disabled) return undefined;
    // The user changed meanwhile: the result no longer holds.
    if (user.stamp !== currentStamp(storage, login)) return verify(login, password, digest);
    const identity = { login, groups: user.groups };
    verified.set({ identity, digest, stamp: user.stamp });
    return identity;
  };
  return (login, password) => {
    if (login === '' || passwordProblem(password) !== undefined) return Promise.resolve(undefined);
    const digest = createHmac('sha256', key).update(`${login.length}:${login}${password}`).digest();
    const stamp = currentStamp(storage, login);
    const known = verified.get(login);
    if (known?.stamp === stamp && timingSafeEqual(known.digest, digest)) return Promise.resolve(known.identity);
    // Many calls may start at once with the same credentials: one hash serves them all.
    const checkKey = `${digest.toString('base64')}${stamp}`;
    const pending = pendingChecks.get(checkKey) ?? limit(() => verify(login, password, digest));
    if (!pendingChecks.has(checkKey)) {
      pendingChecks.set(checkKey, pending);
      const done = (): void => void pendingChecks.delete(checkKey);
      pending.then(done, done);
    }
    return pending;
  };
};
