/** State of a person's authenticators. */
import type { Instant } from '../../kernel/codec';
import type { Forgotten } from '../../kernel/secret';
import type { CredentialId } from '../ids';
import type { AuthenticatorEvent } from './events';

export interface Passkey {
  readonly passkeyId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string | Forgotten;
  readonly addedAt: Instant;
}

export interface Upstream {
  readonly issuer: string;
  readonly subjectHash: string;
}

export interface Person {
  readonly profile: {
    readonly login: string | Forgotten;
    readonly displayName: string | Forgotten;
    readonly email: string | Forgotten | null;
  } | null;
  /** Of a pipeline or an agent. */
  readonly label: string | Forgotten | null;
  readonly credentialLabels: ReadonlyMap<CredentialId, string | Forgotten>;
  readonly enrolment: { readonly hash: string; readonly expiresAt: Instant } | null;
  /** An enrolment link was redeemed before, whatever authenticators remain. */
  readonly hasEnrolled: boolean;
  readonly password: string | Forgotten | null;
  readonly totp: string | Forgotten | null;
  /** Hashes of the latest recovery codes, and of those still unused. */
  readonly issuedRecovery: ReadonlySet<string>;
  readonly unusedRecovery: ReadonlySet<string>;
  readonly passkeys: ReadonlyMap<string, Passkey>;
  readonly upstreams: readonly Upstream[];
  /** Removed by administrators, newest first; listed until the person enrols another of the kind. */
  readonly takenAway: readonly RemovedAuthenticator[];
}

export interface RemovedAuthenticator {
  readonly what: 'authenticator app' | 'passkey';
  readonly at: Instant;
  readonly reason: string;
}

export const initialPerson: Person = {
  profile: null,
  label: null,
  credentialLabels: new Map(),
  enrolment: null,
  hasEnrolled: false,
  password: null,
  totp: null,
  issuedRecovery: new Set(),
  unusedRecovery: new Set(),
  passkeys: new Map(),
  upstreams: [],
  takenAway: [],
};

const maxRemovals = 5;

const withRemoval = (
  person: Person,
  what: RemovedAuthenticator['what'],
  { removedAt: at, reason }: { readonly removedAt: Instant; readonly reason: string | null },
): Person =>
  reason === null
    ? person
    : { ...person, takenAway: [{ what, at, reason }, ...person.takenAway].slice(0, maxRemovals) };

const withoutRemoval = (person: Person, what: RemovedAuthenticator['what']): Person => ({
  ...person,
  takenAway: person.takenAway.filter((one) => one.what !== what),
});

const withCounter = (person: Person, passkeyId: string, counter: number): Person => {
  const passkey = person.passkeys.get(passkeyId);
  if (passkey === undefined) return person;
  return { ...person, passkeys: new Map(person.passkeys).set(passkeyId, { ...passkey, counter }) };
};

const withoutPasskey = (person: Person, passkeyId: string): Person => ({
  ...person,
  passkeys: new Map([...person.passkeys].filter(([id]) => id !== passkeyId)),
});

export const evolve = (person: Person, event: AuthenticatorEvent): Person => {
  switch (event.type) {
    case 'ProfileSet':
      return { ...person, profile: event.data };
    case 'PrincipalLabelled':
      return { ...person, label: event.data.label };
    case 'CredentialLabelled': {
      const { credentialId, label } = event.data;
      return { ...person, credentialLabels: new Map(person.credentialLabels).set(credentialId, label) };
    }
    case 'EnrolmentIssued':
      return { ...person, enrolment: event.data };
    case 'EnrolmentUsed':
      return { ...person, enrolment: null, hasEnrolled: true };
    case 'PasswordSet':
      return { ...person, password: event.data.hash };
    case 'PasswordRemoved':
      return { ...person, password: null };
    case 'TotpEnrolled':
      return { ...withoutRemoval(person, 'authenticator app'), totp: event.data.seed };
    case 'TotpRemoved':
      return {
        ...withRemoval(person, 'authenticator app', event.data),
        totp: null,
        issuedRecovery: new Set(),
        unusedRecovery: new Set(),
      };
    case 'RecoveryCodesIssued':
      return { ...person, issuedRecovery: new Set(event.data.hashes), unusedRecovery: new Set(event.data.hashes) };
    case 'RecoveryCodeUsed':
      return {
        ...person,
        unusedRecovery: new Set([...person.unusedRecovery].filter((one) => one !== event.data.hash)),
      };
    case 'PasskeyAdded':
      return {
        ...withoutRemoval(person, 'passkey'),
        passkeys: new Map(person.passkeys).set(event.data.passkeyId, event.data),
      };
    case 'PasskeyUsed':
      return withCounter(person, event.data.passkeyId, event.data.counter);
    case 'PasskeyRemoved':
      return withoutPasskey(withRemoval(person, 'passkey', event.data), event.data.passkeyId);
    case 'UpstreamLinked':
      return { ...person, upstreams: [...person.upstreams, event.data] };
    case 'UpstreamUnlinked':
      return { ...person, upstreams: person.upstreams.filter((one) => one.subjectHash !== event.data.subjectHash) };
  }
};
