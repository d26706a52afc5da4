/** Removal of authenticators: a person cannot remove the last one, an administrator can, with a reason. */
import { type Either, right } from 'fp-ts/Either';
import { type Rejection, reject } from '../../kernel/rejection';
import type { AuthenticatorRejection, RemovePasskey, RemovePassword, RemoveTotp, UnlinkUpstream } from './commands';
import type { AuthenticatorEvent } from './events';
import type { Person } from './state';

type Decision = Either<Rejection<AuthenticatorRejection>, readonly AuthenticatorEvent[]>;

const isLast = ({ password, passkeys, upstreams }: Person): boolean =>
  (password === null ? 0 : 1) + passkeys.size + upstreams.length === 1;

const lastWayIn = () => reject('last-way-in', 'It is the only way to sign in: add another way first.');

export const removeTotp = ({ principalId, at, reason }: RemoveTotp, { totp }: Person): Decision =>
  right(totp === null ? [] : [{ type: 'TotpRemoved', data: { principalId, removedAt: at, reason } }]);

export const removePassword = ({ principalId, at }: RemovePassword, person: Person): Decision => {
  if (person.password === null) return right([]);
  return isLast(person) ? lastWayIn() : right([{ type: 'PasswordRemoved', data: { principalId, removedAt: at } }]);
};

export const removePasskey = ({ principalId, passkeyId, at, reason }: RemovePasskey, person: Person): Decision => {
  if (!person.passkeys.has(passkeyId)) return right([]);
  // Administrators may remove the last one; the person then gets an enrolment link.
  if (reason === null && isLast(person)) return lastWayIn();
  return right([{ type: 'PasskeyRemoved', data: { principalId, passkeyId, removedAt: at, reason } }]);
};

export const unlink = ({ principalId, subjectHash, at }: UnlinkUpstream, person: Person): Decision => {
  if (!person.upstreams.some((one) => one.subjectHash === subjectHash)) return right([]);
  if (isLast(person)) return lastWayIn();
  return right([{ type: 'UpstreamUnlinked', data: { principalId, subjectHash, removedAt: at } }]);
};
