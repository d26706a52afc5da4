/** What others need to check our tokens: the public keys, and where everything is. */
import { createHash } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { KeyId } from '../../../domain/identity/ids';
import { cacheSeconds } from '../../../domain/identity/signing-keys/lifetimes';
import { record, text } from '../../../domain/kernel/codec';
import { problemOf } from '../../../infra/http/problem';
import { type JsonAnswer, route } from '../../../infra/http/route';
import type { Signer } from '../../../infra/ports/kms';

const coordinate = text('Coordinate', { maxLength: 43 });
const common = { kid: KeyId, use: t.literal('sig') };
const EcJwk = record('EcJwk', {
  ...{ kty: t.literal('EC'), crv: t.literal('P-256'), x: coordinate, y: coordinate },
  ...{ alg: t.literal('ES256'), ...common },
});
const OkpJwk = record('OkpJwk', {
  ...{ kty: t.literal('OKP'), crv: t.literal('Ed25519'), x: coordinate },
  ...{ alg: t.literal('EdDSA'), ...common },
});
const Jwk = t.union([EcJwk, OkpJwk], 'Jwk');

const cached = (body: unknown): JsonAnswer => {
  const tag = createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22);
  return { status: 200, body, headers: { 'Cache-Control': `public, max-age=${cacheSeconds}`, ETag: `"${tag}"` } };
};

export const jwksRoute = route<{ readonly kms: Pick<Signer, 'publicKeys'> }>()({
  method: 'get',
  path: '/oauth/jwks',
  operation: 'getSigningKeys',
  limitGroup: 'keys',
  summary: 'The public signing keys (RFC 7517)',
  access: 'public',
  answers: {
    200: {
      description:
        'Every key whose signatures are to be accepted, and the next one before it signs. Ask again when a token names a key that is not here.',
      body: record('Jwks', { keys: t.array(Jwk) }),
    },
  },
  handle: async ({ kms }) => {
    const keys = await kms.publicKeys();
    return isLeft(keys) ? problemOf(keys.left, {}) : cached({ keys: keys.right });
  },
});
