/** Writes the events of a change of a user within one transaction. */
import { randomUUID } from 'node:crypto';
import type { NewRecord } from '../storage/records/record-format';
import { isSoftDeleted, metadataStreamOf } from '../storage/streams/stream-heads';
import { writeEvents } from '../storage/write-events';
import type { Transaction } from '../storage/writer';
import { encodeUser, streamOfUser, type User } from './user-record';

export const usersStream = Buffer.from('$users');
export const userListedType = '$User';
const notificationsStream = Buffer.from('$users-password-notifications');
const hourInSeconds = 3600;

const newEvent = (type: string, data: Buffer, json = true): NewRecord => ({
  id: randomUUID(),
  type,
  json,
  data,
  metadata: Buffer.alloc(0),
});
const jsonEvent = (type: string, data: object): NewRecord => newEvent(type, Buffer.from(JSON.stringify(data)));

/** Only administrators may read users' streams. Events of an earlier user with that name stay hidden. */
export const writeUserAcl = (transaction: Transaction, login: string): void => {
  const stream = streamOfUser(login);
  const head = transaction.heads.get(stream);
  const hidden = head !== undefined && isSoftDeleted(head) ? { $tb: head.last + 1 } : {};
  const access = { $w: '$admins', $d: '$admins', $mw: '$admins' };
  writeEvents(transaction, metadataStreamOf(stream), [jsonEvent('$metadata', { ...hidden, $acl: access })]);
};

export const writeUserCreated = (transaction: Transaction, user: User): void => {
  writeEvents(transaction, streamOfUser(user.login), [newEvent('$UserCreated', encodeUser(user))]);
};

export const writeUserListed = (transaction: Transaction, login: string): void => {
  writeEvents(transaction, usersStream, [newEvent(userListedType, Buffer.from(login), false)]);
};

/** Other nodes drop the cached password when they read it; an hour is enough for that. */
export const writePasswordChanged = (transaction: Transaction, login: string): void => {
  if (transaction.heads.get(notificationsStream) === undefined)
    writeEvents(transaction, metadataStreamOf(notificationsStream), [
      jsonEvent('$metadata', { $maxAge: hourInSeconds }),
    ]);
  writeEvents(transaction, notificationsStream, [jsonEvent('$PasswordChanged', { loginName: login })]);
};

export const writeUserUpdated = (transaction: Transaction, user: User): void => {
  writeEvents(transaction, streamOfUser(user.login), [newEvent('$UserUpdated', encodeUser(user))]);
};
