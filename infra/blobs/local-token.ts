/** What a signed URL of ours allows, and the proof that we said so: HMAC-SHA-256 over every byte of it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, integer, record } from '../../domain/kernel/codec';

const expires = { expires: integer(0) };

/** `expires` in seconds since 1970. */
export const GetClaims = record(
  'GetClaims',
  { ...expires, method: t.literal('GET'), key: t.string },
  { contentType: t.string, contentDisposition: t.string },
);
export const PutClaims = record(
  'PutClaims',
  { ...expires, method: t.literal('PUT'), key: t.string, size: integer(0) },
  { contentType: t.string, sha256: t.string, absent: t.literal(true), uploadId: t.string, part: integer(1) },
);
const Claims = t.union([GetClaims, PutClaims], 'Claims');
export type GetClaims = t.TypeOf<typeof GetClaims>;
export type PutClaims = t.TypeOf<typeof PutClaims>;
export type Claims = GetClaims | PutClaims;

// A key is up to 1,024 bytes, and JSON may write them six times as long; nothing longer is worth hashing.
const longestToken = 12_000;

const macOf = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`septet:blob-url:${text}`).digest('base64url');

export const signToken = (secret: string, claims: Claims): string => {
  const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${text}.${macOf(secret, text)}`;
};

/** Compares what was written, not what it decodes to: base64url has several ways to write the same bytes. */
const isSigned = (secret: string, text: string, mac: string): boolean => {
  const [given, expected] = [Buffer.from(mac), Buffer.from(macOf(secret, text))];
  return given.length === expected.length && timingSafeEqual(given, expected);
};

export type TokenFault = 'forged' | 'expired';

export const readToken = (secret: string, token: string, now: number): Either<TokenFault, Claims> => {
  const [text = '', mac = '', ...more] = token.length > longestToken ? [] : token.split('.');
  if (more.length > 0 || !isSigned(secret, text, mac)) return left('forged');
  const claims = decode(Claims, JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  if (isLeft(claims)) return left('forged');
  return claims.right.expires * 1_000 > now ? right(claims.right) : left('expired');
};
