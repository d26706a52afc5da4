import { oneOf, record, text } from '../kernel/codec';

const base64url = (name: string, maxLength: number) => text(name, { maxLength, pattern: '[A-Za-z0-9_-]+' });
const Coordinate = base64url('Coordinate', 88);

export const publicKeyFields = {
  required: { kty: oneOf('KeyType', ['EC', 'OKP', 'RSA']) },
  optional: {
    crv: oneOf('Curve', ['P-256', 'P-384', 'P-521', 'Ed25519']),
    x: Coordinate,
    y: Coordinate,
    n: base64url('Modulus', 1_366),
    e: base64url('Exponent', 8),
    kid: text('ForeignKeyId', { examples: ['2026-11'], maxLength: 256 }),
    alg: text('KeyAlgorithm', { examples: ['ES256'], maxLength: 16 }),
    use: text('KeyUse', { examples: ['sig'], maxLength: 16 }),
    /** Certificate thumbprint, if the key came in one. */
    'x5t#S256': text('CertificateThumbprint', {
      examples: ['A4DtL2JmUMhAsvJj5tKyn64SqzmuXbMrJa0n761y5v0'],
      minLength: 43,
      maxLength: 43,
      pattern: '[A-Za-z0-9_-]{43}',
    }),
  },
};

/** Public JWK (RFC 7517). Drops all other members, private ones above all. */
export const PublicKey = record('PublicKey', publicKeyFields.required, publicKeyFields.optional);
