/** Reads a user from the newest event of its stream `$user-<login>`. */
import { eventKey } from '../storage/lmdb-tables';
import { isReadable } from '../storage/read-pages';
import { createdOf, dataOf, isIntact } from '../storage/records/record-format';
import type { Storage } from '../storage/storage';
import { firstVisibleRevision, isTombstoned, type StreamHead } from '../storage/streams/stream-heads';
import type { PasswordHash } from './password-hash';

export interface User extends PasswordHash {
  readonly login: string;
  readonly fullName: string;
  readonly groups: readonly string[];
  readonly disabled: boolean;
}

export interface StoredUser extends User {
  /** In milliseconds. */
  readonly updated: number;
  /** Changes whenever the user may have changed. */
  readonly stamp: string;
}

export const streamOfUser = (login: string): Buffer => Buffer.from(`$user-${login}`);

const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Undefined when it is not a valid user: any writer to system streams can have written it. */
export const decodeUser = (data: Uint8Array): User | undefined => {
  try {
    const json: unknown = JSON.parse(Buffer.from(data).toString('utf8'));
    if (typeof json !== 'object' || json === null) return undefined;
    const { loginName, fullName, salt, hash, scrypt, disabled, groups } = json as Record<string, unknown>;
    if (typeof loginName !== 'string' || loginName === '') return undefined;
    return {
      login: loginName,
      fullName: textOrEmpty(fullName),
      salt: textOrEmpty(salt),
      hash: textOrEmpty(hash),
      ...(typeof scrypt === 'object' && scrypt !== null ? { scrypt: scrypt as User['scrypt'] } : {}),
      groups: Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [],
      disabled: disabled === true,
    };
  } catch {
    return undefined;
  }
};

/** Encodes a user as EventStoreDB does, which omits what is false, with the parameters of this node's hash added. */
export const encodeUser = ({ login, fullName, salt, hash, scrypt, disabled, groups }: User): Buffer =>
  Buffer.from(
    JSON.stringify(
      { loginName: login, fullName, salt, hash, scrypt, disabled: disabled ? true : undefined, groups },
      undefined,
      2,
    ),
  );

/** Differs as soon as the stream has a new event or hides one. */
const stampOf = ({ number, last, tombstoned, retention }: StreamHead): string =>
  [number, last, tombstoned, retention.before, retention.maxCount, retention.maxAge].join('/');

/** The current version of the stream; cheap enough to check on every call. */
export const currentStamp = ({ heads }: Pick<Storage, 'heads'>, login: string): string => {
  const head = heads.get(streamOfUser(login));
  return head === undefined ? '' : stampOf(head);
};

/** Also works within a transaction. */
export const findUser = (
  { tables, heads }: Pick<Storage, 'tables' | 'heads'>,
  login: string,
): StoredUser | undefined => {
  const stream = streamOfUser(login);
  const head = heads.get(stream);
  if (!isReadable(head) || isTombstoned(heads, stream) || firstVisibleRevision(stream, head) > head.last)
    return undefined;
  const position = tables.events.get(eventKey(head.number, head.last));
  const record = position === undefined ? undefined : tables.log.get(position);
  if (record === undefined || !isIntact(record)) return undefined;
  const user = decodeUser(dataOf(record));
  if (user?.login !== login) return undefined;
  return { ...user, updated: createdOf(record), stamp: stampOf(head) };
};
