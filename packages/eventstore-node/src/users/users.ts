/** The node's users, stored in its own log. */
import { availableParallelism } from 'node:os';
import { isReadable, readStreamPage } from '../storage/read-pages';
import { dataOf, typeOf } from '../storage/records/record-format';
import type { Storage } from '../storage/storage';
import { isTombstoned } from '../storage/streams/stream-heads';
import type { Writer } from '../storage/writer';
import { type Authenticate, createAuthenticate } from './authenticate';
import { createConcurrencyLimit } from './concurrency-limit';
import { defaultStrength, type ScryptParameters } from './password-hash';
import { createUserCommands, type UserCommands } from './user-commands';
import { userListedType, usersStream } from './user-events';
import { findUser, type StoredUser } from './user-record';

export interface Users extends UserCommands {
  readonly authenticate: Authenticate;
  readonly find: (login: string) => StoredUser | undefined;
  /** By login. */
  readonly all: () => readonly StoredUser[];
}

/**
 * At most two hashes at a time, of 16 MiB each, which leaves a processor for serving; the last one waits some seconds.
 */
const hashBounds = { running: availableParallelism() > 2 ? 2 : 1, waiting: 32 };

/** Every login that was ever listed; one that was created again is listed again. */
const listedLogins = ({ tables, heads }: Storage): ReadonlySet<string> => {
  const logins = new Set<string>();
  const head = heads.get(usersStream);
  if (!isReadable(head) || isTombstoned(heads, usersStream)) return logins;
  for (let from: number | undefined = 0; from !== undefined; ) {
    const page = readStreamPage(tables, { name: usersStream, head, from, direction: 'forwards', limit: 256 });
    for (const { bytes } of page.records)
      if (typeOf(bytes).toString() === userListedType) logins.add(dataOf(bytes).toString('utf8'));
    from = page.next;
  }
  return logins;
};

interface UsersDeps {
  readonly storage: Storage;
  readonly writer: Writer;
  /** The cost of new passwords' hashes. */
  readonly strength?: ScryptParameters | undefined;
}

export const openUsers = ({ storage, writer, strength = defaultStrength }: UsersDeps): Users => {
  const limit = createConcurrencyLimit(hashBounds);
  const find = (login: string): StoredUser | undefined => findUser(storage, login);
  return {
    ...createUserCommands({ storage, writer, limit, strength }),
    authenticate: createAuthenticate({ storage, limit, strength }),
    find,
    all: () =>
      [...listedLogins(storage)].sort().flatMap((login) => {
        const user = find(login);
        return user === undefined ? [] : [user];
      }),
  };
};
