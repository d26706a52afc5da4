/** Rules of a person's authenticators: one always remains, and a copied passkey is refused. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import type {
  AddPasskey,
  AuthenticatorCommand,
  AuthenticatorRejection,
  LinkUpstream,
  SetPassword,
  SetProfile,
  UsePasskey,
} from './commands';
import { type AuthenticatorEvent, authenticators } from './events';
import { enrolTotp, issueRecoveryCodes, useRecoveryCode } from './recovery';
import { removePasskey, removePassword, removeTotp, unlink } from './removals';
import { evolve, initialPerson, type Person } from './state';

type Decision = Either<Rejection<AuthenticatorRejection>, readonly AuthenticatorEvent[]>;
const maxPasskeys = 20;

/** Redeems the enrolment link; no event for a signed-in person. */
const checkEnrolment = ({ principalId, at, enrolment }: SetPassword | AddPasskey, person: Person): Decision => {
  if (enrolment === null) return right([]);
  const { enrolment: live } = person;
  if (live === null || live.hash !== enrolment || live.expiresAt <= at)
    return reject('enrolment-spent', 'The link was used before, or has expired: ask for a new one.');
  return right([{ type: 'EnrolmentUsed', data: { principalId, usedAt: at } }]);
};

const setProfile = ({ principalId, login, displayName, email }: SetProfile, { profile }: Person): Decision => {
  if (profile?.login === login && profile.displayName === displayName && profile.email === email) return right([]);
  return right([{ type: 'ProfileSet', data: { principalId, login, displayName, email } }]);
};

const setPassword = (command: SetPassword, person: Person): Decision => {
  if (person.password === command.hash) return right([]);
  const spending = checkEnrolment(command, person);
  if (isLeft(spending)) return spending;
  const { principalId, hash, at } = command;
  return right([...spending.right, { type: 'PasswordSet', data: { principalId, hash, setAt: at } }]);
};

const addPasskey = (command: AddPasskey, person: Person): Decision => {
  const { principalId, passkeyId, publicKey, counter, transports, name, at } = command;
  const existing = person.passkeys.get(passkeyId);
  if (existing !== undefined)
    return existing.publicKey === publicKey ? right([]) : reject('passkey-known', 'Another passkey has this id.');
  if (person.passkeys.size >= maxPasskeys)
    return reject('too-many-passkeys', `A person has at most ${maxPasskeys} passkeys: remove one.`);
  const spending = checkEnrolment(command, person);
  if (isLeft(spending)) return spending;
  const data = { principalId, passkeyId, publicKey, counter, transports: [...transports], name, addedAt: at };
  return right([...spending.right, { type: 'PasskeyAdded', data }]);
};

const usePasskey = ({ principalId, passkeyId, counter }: UsePasskey, person: Person): Decision => {
  const existing = person.passkeys.get(passkeyId);
  if (existing === undefined) return reject('passkey-unknown', 'The person has no such passkey.');
  if (counter === 0 && existing.counter === 0) return right([]);
  if (counter <= existing.counter)
    return reject('passkey-copied', 'The passkey’s counter went back: the passkey was copied.');
  return right([{ type: 'PasskeyUsed', data: { principalId, passkeyId, counter } }]);
};

const linkUpstream = ({ principalId, issuer, subjectHash, at }: LinkUpstream, { upstreams }: Person): Decision =>
  right(
    upstreams.some((one) => one.subjectHash === subjectHash)
      ? []
      : [{ type: 'UpstreamLinked', data: { principalId, issuer, subjectHash, linkedAt: at } }],
  );

const decide = (command: AuthenticatorCommand, person: Person): Decision => {
  switch (command.type) {
    case 'SetProfile':
      return setProfile(command, person);
    case 'LabelPrincipal': {
      const { principalId, label } = command;
      return right(person.label === label ? [] : [{ type: 'PrincipalLabelled', data: { principalId, label } }]);
    }
    case 'LabelCredential': {
      const { principalId, credentialId, label } = command;
      const isLabelled = person.credentialLabels.get(credentialId) === label;
      return right(isLabelled ? [] : [{ type: 'CredentialLabelled', data: { principalId, credentialId, label } }]);
    }
    case 'IssueEnrolment': {
      const { principalId, hash, at, expiresAt } = command;
      if (person.enrolment?.hash === hash) return right([]);
      return right([{ type: 'EnrolmentIssued', data: { principalId, hash, issuedAt: at, expiresAt } }]);
    }
    case 'SetPassword':
      return setPassword(command, person);
    case 'AddPasskey':
      return addPasskey(command, person);
    case 'UsePasskey':
      return usePasskey(command, person);
    case 'EnrolTotp':
      return enrolTotp(command, person);
    case 'IssueRecoveryCodes':
      return issueRecoveryCodes(command, person);
    case 'UseRecoveryCode':
      return useRecoveryCode(command, person);
    case 'LinkUpstream':
      return linkUpstream(command, person);
    case 'RemovePassword':
      return removePassword(command, person);
    case 'RemoveTotp':
      return removeTotp(command, person);
    case 'RemovePasskey':
      return removePasskey(command, person);
    case 'UnlinkUpstream':
      return unlink(command, person);
  }
};

export const authenticator: Decider<AuthenticatorCommand, Person, AuthenticatorEvent, AuthenticatorRejection> = {
  family: authenticators,
  initial: initialPerson,
  evolve,
  decide,
};
