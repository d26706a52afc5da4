/** Our verifier beside jose: what they may disagree about is listed, and everything else is the same. */
import { createLocalJWKSet, jwtVerify } from 'jose';
import { checkIssuerAndAudience, checkTimes } from '../../../packages/resource-server/src/access-token/check-claims';
import {
  createHeaderCache,
  createVerifiedTokenCache,
  verifyToken,
} from '../../../packages/resource-server/src/access-token/verify-token';
import { accessTokenHash } from '../../../packages/resource-server/src/dpop/verify-proof';
import { createJwksCache } from '../../../packages/resource-server/src/jose/jwks-cache';
import { isLeft, right } from '../../../packages/resource-server/src/verification/either';
import { drawFrom, jwks, now } from './drawn';
import { mutated } from './mutations';

const expected = { issuer: 'http://septet.test', audience: 'septet' };
const theirKeys = createLocalJWKSet(jwks as never);
const theirOptions = {
  ...expected,
  algorithms: ['ES256', 'EdDSA'],
  typ: 'at+jwt',
  clockTolerance: 10,
  currentDate: new Date(now),
  requiredClaims: ['exp', 'iat', 'sub', 'jti'],
};

const theirs = async (token: string): Promise<boolean> => {
  try {
    await jwtVerify(token, theirKeys, theirOptions);
    return true;
  } catch {
    return false;
  }
};

const checks = {
  keys: createJwksCache({ fetch: async () => right(jwks), log: { warn: () => undefined }, now: () => now }),
  verifiedTokens: createVerifiedTokenCache(1),
  headers: createHeaderCache(),
};
const ours = async (token: string): Promise<boolean> => {
  const verified = await verifyToken(checks, { token, hash: accessTokenHash(token) });
  if (isLeft(verified)) return false;
  const { claims } = verified.right;
  return (checkTimes(claims, now) ?? checkIssuerAndAudience(claims, expected)) === undefined;
};

type Read = Record<string, unknown>;
const textOf = (part: string): string => Buffer.from(part, 'base64url').toString('utf8');
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isWhole = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 1e10;

/** Serialised again, a text equals itself but for white space and escapes; of a key that came twice, one is lost. */
const isTwofold = (text: string, read: unknown): boolean =>
  (text.match(/"(?:[^"\\]|\\.)*"\s*:/g) ?? []).length !==
  (JSON.stringify(read).match(/"(?:[^"\\]|\\.)*":/g) ?? []).length;

/** Each is a way in which we are stricter (docs/decisions/0022-standalone-token-verifier.md); none in which we are not. */
const stricter: {
  readonly [why: string]: (token: { header: Read; claims: Read; texts: string[]; token: string }) => boolean;
} = {
  'fields of the header': ({ header }) => Object.keys(header).some((name) => !['alg', 'typ', 'kid'].includes(name)),
  'a key that is not named': ({ header }) => !isText(header.kid),
  'members that come twice': ({ texts, header, claims }) =>
    isTwofold(texts[0] ?? '', header) || isTwofold(texts[1] ?? '', claims),
  'another spelling': ({ token }) =>
    token.split('.').some((part) => Buffer.from(part, 'base64url').toString('base64url') !== part),
  'a byte order mark': ({ texts }) => texts.slice(0, 2).some((text) => text.startsWith('\ufeff')),
  'too deep': ({ texts }) => texts.some((text) => text.includes('['.repeat(17))),
  'claims of other types': ({ claims }) =>
    !['iss', 'sub', 'jti', 'tenant_id', 'principal_type'].every((name) => isText(claims[name])) ||
    !isTexts(claims.aud) ||
    !isTexts(claims.scopes) ||
    !['exp', 'iat', 'security_epoch'].every((name) => isWhole(claims[name])) ||
    !(claims.nbf === undefined || isWhole(claims.nbf)) ||
    claims.cnf !== undefined,
  'issued later': ({ claims }) => Number(claims.iat) > now / 1000 + 10,
  'more than an hour': ({ claims }) => Number(claims.exp) - Number(claims.iat) > 3_600,
};

const whyStricter = (token: string): string | undefined => {
  const texts = token.split('.').map(textOf);
  const [header, claims] = texts.slice(0, 2).map((text) => JSON.parse(text.replace(/^\ufeff/, '')) as Read);
  if (header === undefined || claims === undefined) return undefined;
  return Object.entries(stricter).find(([, is]) => is({ header, claims, texts, token }))?.[0];
};

export interface Compared {
  accepted: number;
  refused: number;
  /** Refused by us alone, by why. */
  readonly stricter: Map<string, number>;
}

/** Throws on a token that the two disagree about for no reason that is listed. */
export const compare = async (count: number, seed: number): Promise<Compared> => {
  const draw = drawFrom(seed);
  const compared: Compared = { accepted: 0, refused: 0, stricter: new Map() };
  for (let index = 0; index < count; index += 1) {
    const { what, token } = mutated(draw);
    const [we, they] = [await ours(token), await theirs(token)];
    if (we) compared.accepted += 1;
    else compared.refused += 1;
    if (we === they) continue;
    const why = we ? undefined : whyStricter(token);
    if (why === undefined) throw new Error(`seed ${seed}, token ${index}, ${what}: we ${we}, jose ${they}: ${token}`);
    compared.stricter.set(why, (compared.stricter.get(why) ?? 0) + 1);
  }
  return compared;
};
