/** The events that a change of a user writes, inside one transaction. */
import { randomUUID } from 'node:crypto';
import { isSoftDeleted, metadataStreamOf } from '../storage/heads';
import type { NewRecord } from '../storage/record';
import { writeEvents } from '../storage/write';
import type { Transaction } from '../storage/writer';
import { encodeUser, streamOfUser, type User } from './user';

export const usersStream = Buffer.from('$users');
export const userListed = '$User';
const notifications = Buffer.from('$users-password-notifications');
const hourInSeconds = 3600;

const newEvent = (type: string, data: Buffer, json = true): NewRecord => ({
  id: randomUUID(),
  type,
  json,
  data,
  metadata: Buffer.alloc(0),
});
const jsonEvent = (type: string, data: object): NewRecord => newEvent(type, Buffer.from(JSON.stringify(data)));

/** Everybody's passwords are for administrators. What an earlier user of that name left stays hidden. */
export const writeAccess = (transaction: Transaction, login: string): void => {
  const stream = streamOfUser(login);
  const head = transaction.heads.get(stream);
  const hidden = head !== undefined && isSoftDeleted(head) ? { $tb: head.last + 1 } : {};
  const access = { $w: '$admins', $d: '$admins', $mw: '$admins' };
  writeEvents(transaction, metadataStreamOf(stream), [jsonEvent('$metadata', { ...hidden, $acl: access })]);
};

export const writeCreated = (transaction: Transaction, user: User): void => {
  writeEvents(transaction, streamOfUser(user.login), [newEvent('$UserCreated', encodeUser(user))]);
};

export const writeListed = (transaction: Transaction, login: string): void => {
  writeEvents(transaction, usersStream, [newEvent(userListed, Buffer.from(login), false)]);
};

/** Other nodes forget the password when they see it; an hour is enough for that. */
export const notifyOfChange = (transaction: Transaction, login: string): void => {
  if (transaction.heads.get(notifications) === undefined)
    writeEvents(transaction, metadataStreamOf(notifications), [jsonEvent('$metadata', { $maxAge: hourInSeconds })]);
  writeEvents(transaction, notifications, [jsonEvent('$PasswordChanged', { loginName: login })]);
};

export const writeUpdated = (transaction: Transaction, user: User): void => {
  writeEvents(transaction, streamOfUser(user.login), [newEvent('$UserUpdated', encodeUser(user))]);
};
