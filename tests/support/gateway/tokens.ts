/** Access tokens as the command API issues them, and as attackers would like them to be. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: Record<string, unknown>;
}

export const signingKey = (kid: string): SigningKey => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' };
  return { kid, privateKey: createPrivateKey(pair.privateKey.export({ format: 'pem', type: 'pkcs8' })), jwk };
};

const encoded = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

export const claimsAt = (now: number, changes: object = {}) => ({
  iss: 'http://septet.test',
  sub: 'p-1',
  aud: ['septet'],
  exp: Math.floor(now / 1000) + 600,
  iat: Math.floor(now / 1000),
  jti: 'jti-1',
  tenant_id: 'acme',
  principal_type: 'HUMAN',
  scopes: ['things:read', 'things:write'],
  security_epoch: 1,
  ...changes,
});

export const tokenWith = (key: SigningKey, claims: object, header: object = {}): string => {
  const input = `${encoded({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header })}.${encoded(claims)}`;
  const signature = sign('sha256', Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
};
