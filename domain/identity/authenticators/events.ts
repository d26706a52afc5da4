/** What a principal and its credentials are called, and a person's authenticators. Personal fields are erased with their subject. */
import * as t from 'io-ts';
import { Instant, integer, nameText, nullable, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { secret } from '../../kernel/secret';
import { CredentialId, SecretHash } from '../ids';
import { Reason } from '../principal/events';

export const LoginName = text('LoginName', { content: 'login', maxLength: 200, examples: ['ada@example.org'] });
export const DisplayName = nameText('DisplayName', { maxLength: 120, examples: ['Ada Lovelace'] });
export const PrincipalLabel = nameText('PrincipalLabel', { maxLength: 120, examples: ['Nightly release build'] });
export const CredentialLabel = nameText('CredentialLabel', { maxLength: 120, examples: ['Laptop of the build team'] });
export const PasskeyName = nameText('PasskeyName', { maxLength: 60 });
export const Email = text('Email', {
  content: 'login',
  maxLength: 254,
  pattern: '[^@\\s]+@[^@\\s]+',
  expected: 'an e-mail address, such as ada@example.org',
  examples: ['ada@example.org'],
});

const base64url = (name: string, maxLength: number) => text(name, { maxLength, pattern: '[A-Za-z0-9_-]+' });
export const PasskeyId = base64url('PasskeyId', 1_400);
const whose = { principalId: PrincipalId };
/** Reason of an administrator; null: removed by the person. */
const reason = nullable(Reason);
const bySelf = <Old>(old: Old) => ({ ...old, reason: null });

export const authenticators = aggregate(
  { context: 'identity', name: 'authenticators', id: PrincipalId },
  {
    ProfileSet: {
      v: 1,
      data: {
        ...whose,
        login: secret(LoginName, 'principalId'),
        displayName: secret(DisplayName, 'principalId'),
        email: secret(nullable(Email), 'principalId'),
      },
    },
    /** What a pipeline or an agent is called; it may name a person. Null: no label. */
    PrincipalLabelled: { v: 1, data: { ...whose, label: secret(nullable(PrincipalLabel), 'principalId') } },
    /** What a credential is for; it may name a person. */
    CredentialLabelled: {
      v: 1,
      data: { ...whose, credentialId: CredentialId, label: secret(CredentialLabel, 'principalId') },
    },
    /** Enrolment link for the first or another authenticator. */
    EnrolmentIssued: { v: 1, data: { ...whose, hash: SecretHash, issuedAt: Instant, expiresAt: Instant } },
    EnrolmentUsed: { v: 1, data: { ...whose, usedAt: Instant } },
    PasswordSet: {
      v: 1,
      data: { ...whose, hash: secret(text('PasswordHash', { maxLength: 256 }), 'principalId'), setAt: Instant },
    },
    PasswordRemoved: { v: 1, data: { ...whose, removedAt: Instant } },
    TotpEnrolled: {
      v: 1,
      data: { ...whose, seed: secret(base64url('TotpSeed', 64), 'principalId'), enrolledAt: Instant },
    },
    TotpRemoved: { v: 2, data: { ...whose, removedAt: Instant, reason }, from: { 1: bySelf } },
    /** Each recovery code works once; earlier ones are void. */
    RecoveryCodesIssued: { v: 1, data: { ...whose, hashes: t.array(SecretHash, 'RecoveryHashes'), issuedAt: Instant } },
    RecoveryCodeUsed: { v: 1, data: { ...whose, hash: SecretHash, usedAt: Instant } },
    PasskeyAdded: {
      v: 1,
      data: {
        ...whose,
        passkeyId: PasskeyId,
        /** COSE key, base64url. */
        publicKey: base64url('CosePublicKey', 4_096),
        counter: integer(0),
        transports: t.array(text('Transport', { maxLength: 32 }), 'Transports'),
        name: secret(PasskeyName, 'principalId'),
        addedAt: Instant,
      },
    },
    /** Only for authenticators with a counter: a decreasing counter indicates a copy. */
    PasskeyUsed: { v: 1, data: { ...whose, passkeyId: PasskeyId, counter: integer(1) } },
    PasskeyRemoved: {
      v: 2,
      data: { ...whose, passkeyId: PasskeyId, removedAt: Instant, reason },
      from: { 1: bySelf },
    },
    /** An account at an identity provider; the subject is a keyed hash. */
    UpstreamLinked: {
      v: 1,
      data: { ...whose, issuer: text('Issuer', { maxLength: 2_048 }), subjectHash: SecretHash, linkedAt: Instant },
    },
    UpstreamUnlinked: { v: 1, data: { ...whose, subjectHash: SecretHash, removedAt: Instant } },
  },
);
export type AuthenticatorEvent = typeof authenticators.Event;

export const { stream: authenticatorsStream } = authenticators;
