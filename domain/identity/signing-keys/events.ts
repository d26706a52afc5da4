/** The keys that sign tokens, all in one stream: of several that would activate a key, one can append. */
import { Instant, oneOf, text } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { KeyId } from '../ids';
import { PublicKey } from '../jwk';
import { Reason } from '../principal/events';

export const SigningAlgorithm = oneOf('SigningAlgorithm', ['ES256', 'EdDSA']);

export const signingKeys = family('identity', {
  KeyCreated: {
    v: 1,
    data: {
      kid: KeyId,
      algorithm: SigningAlgorithm,
      publicKey: PublicKey,
      keystore: text('Keystore', { maxLength: 64 }),
      createdAt: Instant,
    },
  },
  /** From here on verifiers can know it. */
  KeyPublished: { v: 1, data: { kid: KeyId, publishedAt: Instant } },
  KeyActivated: { v: 1, data: { kid: KeyId, activatedAt: Instant } },
  /** Signs no more; what it signed is accepted until it has expired. */
  KeyRetired: { v: 1, data: { kid: KeyId, retiredAt: Instant } },
  /** Everything that it ever signed is refused. */
  KeyRevoked: { v: 1, data: { kid: KeyId, revokedAt: Instant, reason: Reason } },
});
export type SigningKeyEvent = typeof signingKeys.Event;
