/** Who has this password: by the slow hash once, from memory for as long as nothing of the user changes. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Storage } from '../storage/storage';
import type { Limit } from './limit';
import { isPassword, nobodysHash, passwordProblem, type ScryptParameters } from './passwords';
import { currentStamp, findUser } from './user';

export interface Identity {
  readonly login: string;
  readonly groups: readonly string[];
}

interface Verified {
  readonly identity: Identity;
  readonly digest: Buffer;
  readonly stamp: string;
}

const mostRemembered = 1_000;

/** The last password of each user, of the users that were checked most recently. */
const createMemory = () => {
  const byLogin = new Map<string, Verified>();
  return {
    get: (login: string): Verified | undefined => byLogin.get(login),
    set: (known: Verified): void => {
      byLogin.delete(known.identity.login);
      byLogin.set(known.identity.login, known);
      if (byLogin.size > mostRemembered) byLogin.delete(byLogin.keys().next().value as string);
    },
  };
};

export type Authenticate = (login: string, password: string) => Promise<Identity | undefined>;

interface Checking {
  readonly storage: Storage;
  readonly limit: Limit;
  readonly strength: ScryptParameters;
}

export const createAuthenticate = ({ storage, limit, strength }: Checking): Authenticate => {
  const nobody = nobodysHash(strength);
  const key = randomBytes(32);
  const verified = createMemory();
  const underWay = new Map<string, Promise<Identity | undefined>>();
  const verify = async (login: string, password: string, digest: Buffer): Promise<Identity | undefined> => {
    const user = findUser(storage, login);
    const isRight = await isPassword(password, user ?? nobody);
    if (!isRight || user === undefined || user.disabled) return undefined;
    // Changed meanwhile: what was found out is no longer true.
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
    // Many calls begin at once with the same credentials: one hash answers them all.
    const asked = `${digest.toString('base64')}${stamp}`;
    const pending = underWay.get(asked) ?? limit(() => verify(login, password, digest));
    if (!underWay.has(asked)) {
      underWay.set(asked, pending);
      const done = (): void => void underWay.delete(asked);
      pending.then(done, done);
    }
    return pending;
  };
};
