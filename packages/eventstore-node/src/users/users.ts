/** The node's users, kept in its own log. */
import { availableParallelism } from 'node:os';
import { isEnded } from '../storage/heads';
import { isReadable, readStreamPage } from '../storage/read';
import { dataOf, typeOf } from '../storage/record';
import type { Storage } from '../storage/storage';
import type { Writer } from '../storage/writer';
import { type Authenticate, createAuthenticate } from './authenticate';
import { createUserChanges, type UserChanges } from './change';
import { userListed, usersStream } from './events';
import { createLimit } from './limit';
import { type ScryptParameters, usualStrength } from './passwords';
import { findUser, type StoredUser } from './user';

export interface Users extends UserChanges {
  readonly authenticate: Authenticate;
  readonly find: (login: string) => StoredUser | undefined;
  /** By login. */
  readonly all: () => readonly StoredUser[];
}

/** At most two hashes at a time, of 16 MiB each, and a processor left to serve; the last to wait waits some seconds. */
const hashes = { running: availableParallelism() > 2 ? 2 : 1, waiting: 32 };

/** Every login that was ever listed; a user that was made again is there again. */
const listedLogins = ({ tables, heads }: Storage): ReadonlySet<string> => {
  const logins = new Set<string>();
  const head = heads.get(usersStream);
  if (!isReadable(head) || isEnded(heads, usersStream)) return logins;
  for (let from: number | undefined = 0; from !== undefined; ) {
    const page = readStreamPage(tables, { name: usersStream, head, from, direction: 'forwards', limit: 256 });
    for (const { bytes } of page.records)
      if (typeOf(bytes).toString() === userListed) logins.add(dataOf(bytes).toString('utf8'));
    from = page.next;
  }
  return logins;
};

interface KeepingUsers {
  readonly storage: Storage;
  readonly writer: Writer;
  /** Of new passwords' hashes. */
  readonly strength?: ScryptParameters | undefined;
}

export const openUsers = ({ storage, writer, strength = usualStrength }: KeepingUsers): Users => {
  const limit = createLimit(hashes);
  const find = (login: string): StoredUser | undefined => findUser(storage, login);
  return {
    ...createUserChanges({ storage, writer, limit, strength }),
    authenticate: createAuthenticate({ storage, limit, strength }),
    find,
    all: () =>
      [...listedLogins(storage)].sort().flatMap((login) => {
        const user = find(login);
        return user === undefined ? [] : [user];
      }),
  };
};
