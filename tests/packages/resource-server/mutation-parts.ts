/** Parts for tokens that try to confuse verifiers. */
import { type Draw, stranger } from './drawn';

export const odd: readonly unknown[] = [
  undefined,
  null,
  '',
  'x',
  'septet',
  0,
  -1,
  1.5,
  1e300,
  true,
  [],
  ['septet'],
  {},
  { a: 1 },
];
export const oddHeaders: readonly Record<string, unknown>[] = [
  { alg: 'none' },
  { alg: 'HS256' },
  { alg: 'ES384' },
  { alg: 'EdDSA' },
  { alg: 'ES256' },
  { alg: 'es256' },
  { alg: undefined },
  { typ: 'JWT' },
  { typ: 'AT+JWT' },
  { typ: 'application/at+jwt' },
  { typ: undefined },
  { typ: ['at+jwt'] },
  { typ: 'at+jwt ' },
  { kid: 'one' },
  { kid: 'two' },
  { kid: 'four' },
  { kid: undefined },
  { kid: '' },
  { kid: 7 },
  { jwk: stranger.jwk },
  { jku: 'http://127.0.0.1/keys' },
  { x5c: ['AAAA'] },
  { x5u: 'http://127.0.0.1' },
  { crit: ['b64'], b64: false },
  { crit: [] },
  { crit: ['exp'], exp: 1 },
  { b64: false },
  { zip: 'DEF' },
  { cty: 'JWT' },
];
export const claimNames = [
  'iss',
  'sub',
  'aud',
  'exp',
  'iat',
  'nbf',
  'jti',
  'tenant_id',
  'scopes',
  'security_epoch',
  'cnf',
  'more',
];
export const offsets = [-3_601, -3_600, -61, -60, -11, -10, -9, -1, 0, 1, 9, 10, 11, 60, 61, 3_600, 3_601];
export const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. ';

export const picked = <A>(draw: Draw, from: readonly A[]): A => from[draw(from.length)] as A;
export const spliced = (text: string, at: number, { drop, put }: { drop: number; put: string }): string =>
  text.slice(0, at) + put + text.slice(at + drop);

/** n, the order of P-256: the signature (r, n − s) fits where (r, s) does. */
const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
export const resigned = (token: string, change: (bytes: Buffer) => Buffer): string => {
  const at = token.lastIndexOf('.') + 1;
  return token.slice(0, at) + change(Buffer.from(token.slice(at), 'base64url')).toString('base64url');
};
export const mirrored = (bytes: Buffer): Buffer => {
  const mirror = order - (BigInt(`0x${bytes.subarray(32).toString('hex')}`) % order);
  return Buffer.concat([bytes.subarray(0, 32), Buffer.from(mirror.toString(16).padStart(64, '0'), 'hex')]);
};

/** The same members, written otherwise. */
export const rewritten = (text: string, draw: Draw): string =>
  picked(draw, [
    () => text.replace(':', ' : '),
    () => `\n${text}\t`,
    () => text.replace('"septet"', '"\\u0073eptet"'),
    () => text.replace('{', '{"iss":"http://evil.test",'),
    () => text.replace('{', '{"more":{"a":1,"a":2},'),
    () => text.replace(/}$/, ',"sub":"admin"}'),
    () => text.replace('{', '{"__proto__":{"admin":true},'),
    () => `\ufeff${text}`,
    () => `${text}x`,
    () => `[${text}]`,
    () => text.replace('acme', '\\ud800'),
    () => text.replace('{', `{"deep":${'['.repeat(40)}${']'.repeat(40)},`),
  ])();
