/** What a person is known by and proves to be themselves with. All that is of a person is forgotten with them. */
import * as t from 'io-ts';
import { Instant, integer, nullable, text } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { secret } from '../../kernel/secret';
import { SecretHash } from '../ids';
import { Reason } from '../principal/events';

export const LoginName = text('LoginName', { maxLength: 200, examples: ['ada@example.org'] });
export const DisplayName = text('DisplayName', { maxLength: 120, examples: ['Ada Lovelace'] });
export const Email = text('Email', { maxLength: 254, pattern: '[^@\\s]+@[^@\\s]+', examples: ['ada@example.org'] });

const base64url = (name: string, maxLength: number) => text(name, { maxLength, pattern: '[A-Za-z0-9_-]+' });
export const PasskeyId = base64url('PasskeyId', 1_400);
const whose = { principalId: PrincipalId };
/** Why somebody else took it from them; null where they did so themselves. */
const reason = nullable(Reason);
const bySelf = <Old>(old: Old) => ({ ...old, reason: null });

export const authenticators = family('identity', {
  ProfileSet: {
    v: 1,
    data: {
      ...whose,
      login: secret(LoginName, 'principalId'),
      displayName: secret(DisplayName, 'principalId'),
      email: secret(nullable(Email), 'principalId'),
    },
  },
  /** A link by which a person sets up their first way in, or a new one. */
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
  /** Each works once in place of an app's code; those before are void. */
  RecoveryCodesIssued: { v: 1, data: { ...whose, hashes: t.array(SecretHash, 'RecoveryHashes'), issuedAt: Instant } },
  RecoveryCodeUsed: { v: 1, data: { ...whose, hash: SecretHash, usedAt: Instant } },
  PasskeyAdded: {
    v: 1,
    data: {
      ...whose,
      passkeyId: PasskeyId,
      /** As COSE writes it, base64url. */
      publicKey: base64url('CosePublicKey', 4_096),
      counter: integer(0),
      transports: t.array(text('Transport', { maxLength: 32 }), 'Transports'),
      name: secret(text('PasskeyName', { maxLength: 60 }), 'principalId'),
      addedAt: Instant,
    },
  },
  /** Recorded where the authenticator counts: one that counts backwards is a copy. */
  PasskeyUsed: { v: 1, data: { ...whose, passkeyId: PasskeyId, counter: integer(1) } },
  PasskeyRemoved: {
    v: 2,
    data: { ...whose, passkeyId: PasskeyId, removedAt: Instant, reason },
    from: { 1: bySelf },
  },
  /** An account at an enterprise's provider; which one stands there as a keyed hash. */
  UpstreamLinked: {
    v: 1,
    data: { ...whose, issuer: text('Issuer', { maxLength: 2_048 }), subjectHash: SecretHash, linkedAt: Instant },
  },
  UpstreamUnlinked: { v: 1, data: { ...whose, subjectHash: SecretHash, removedAt: Instant } },
});
export type AuthenticatorEvent = typeof authenticators.Event;
