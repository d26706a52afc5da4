/** Removal of authenticators: a person cannot remove the last one, an administrator can, with a reason. */
import { type Either, right } from 'fp-ts/Either';
import { type Rejection, reject } from '../../kernel/rejection';
import { type AcceptedMethods, hasWayIn } from '../sign-in-policy/ways-in';
import type { AuthenticatorRejection, RemovePasskey, RemovePassword, RemoveTotp, UnlinkUpstream } from './commands';
import type { AuthenticatorEvent } from './events';
import type { Person } from './state';

type Decision = Either<Rejection<AuthenticatorRejection>, readonly AuthenticatorEvent[]>;

/** A method that the policy does not allow is no other way in. */
const isLast = (person: Person, remaining: Partial<Person>, accepted: AcceptedMethods | undefined): boolean => {
  const { password, passkeys, upstreams } = person;
  const allowed = accepted ?? { passwords: true, passkeys: true, issuers: upstreams.map(({ issuer }) => issuer) };
  const after = { password, passkeys, upstreams, ...remaining };
  return hasWayIn(allowed, person) && !hasWayIn(allowed, after);
};

const lastWayIn = () => reject('last-way-in', 'It is the only way to sign in: add another way first.');

export const removeTotp = ({ principalId, at, reason }: RemoveTotp, { totp }: Person): Decision =>
  right(totp === null ? [] : [{ type: 'TotpRemoved', data: { principalId, removedAt: at, reason } }]);

export const removePassword = ({ principalId, at, accepted }: RemovePassword, person: Person): Decision => {
  if (person.password === null) return right([]);
  return isLast(person, { password: null }, accepted)
    ? lastWayIn()
    : right([{ type: 'PasswordRemoved', data: { principalId, removedAt: at } }]);
};

export const removePasskey = (
  { principalId, passkeyId, at, reason, accepted }: RemovePasskey,
  person: Person,
): Decision => {
  if (!person.passkeys.has(passkeyId)) return right([]);
  // Administrators may remove the last one; the person then gets an enrolment link.
  const passkeys = new Map([...person.passkeys].filter(([id]) => id !== passkeyId));
  if (reason === null && isLast(person, { passkeys }, accepted)) return lastWayIn();
  return right([{ type: 'PasskeyRemoved', data: { principalId, passkeyId, removedAt: at, reason } }]);
};

export const unlink = ({ principalId, subjectHash, at, accepted }: UnlinkUpstream, person: Person): Decision => {
  if (!person.upstreams.some((one) => one.subjectHash === subjectHash)) return right([]);
  const upstreams = person.upstreams.filter((one) => one.subjectHash !== subjectHash);
  if (isLast(person, { upstreams }, accepted)) return lastWayIn();
  return right([{ type: 'UpstreamUnlinked', data: { principalId, subjectHash, removedAt: at } }]);
};
