/** Signing keys in one stream: of concurrent activations, one can append. A key's algorithm decides what it signs. */

import { Instant, oneOf, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { KeyId, platformTenant } from '../ids';
import { PublicKey } from '../jwk';
import { Reason } from '../principal/events';

export const SigningAlgorithm = oneOf('SigningAlgorithm', ['ES256', 'EdDSA', 'RS256']);

export const signingKeys = aggregate(
  { context: 'identity', name: 'signingKeys' },
  {
    KeyCreated: {
      v: 1,
      data: {
        kid: KeyId,
        algorithm: SigningAlgorithm,
        publicKey: PublicKey,
        keystore: text('Keystore', { examples: ['local'], maxLength: 64 }),
        createdAt: Instant,
      },
    },
    /** Verifiers can fetch it from now on. */
    KeyPublished: { v: 1, data: { kid: KeyId, publishedAt: Instant } },
    KeyActivated: { v: 1, data: { kid: KeyId, activatedAt: Instant } },
    /** Signs no more; its signatures stay valid until the tokens expire. */
    KeyRetired: { v: 1, data: { kid: KeyId, retiredAt: Instant } },
    /** All of its signatures are void. */
    KeyRevoked: { v: 1, data: { kid: KeyId, revokedAt: Instant, reason: Reason } },
  },
);
export type SigningKeyEvent = typeof signingKeys.Event;

export const signingKeysStream = signingKeys.stream(platformTenant, 'keys');
