/** Signed URLs of the local store: claims, with an HMAC-SHA-256 over every byte of them. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, type Instant, integer, record } from '../../../../domain/kernel/codec';
import type { BlobStore, SignedRequest, SignGet } from '../../../ports/blob-store';
import {
  carriedDisposition,
  contentTypeOrDefault,
  firstRejection,
  keyRefusal,
  lifetime,
  partRefusal,
  sizeRefusal,
} from '../limits';

export interface Signing {
  /** At least 32 characters. It allows to sign URLs. */
  readonly secret: string;
  /** Where the routes are reached from outside, such as `https://example.org/blobs`. */
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

type Unsigned<C extends Claims> = Omit<C, 'expires'> & { readonly seconds: number };

const sign = (
  { secret, url, now }: Signing,
  { seconds, ...claims }: Unsigned<GetClaims> | Unsigned<PutClaims>,
  headers: SignedRequest['headers'] = {},
): SignedRequest => {
  const expires = Math.floor(now() / 1_000) + lifetime(seconds);
  const token = signToken(secret, { ...claims, expires } as Claims);
  const expiresAt = new Date(expires * 1_000).toISOString() as Instant;
  return { method: claims.method, url: `${url.replace(/\/+$/, '')}/${token}`, headers, expiresAt };
};

export const signPutLocal =
  (signing: Signing): BlobStore['signPut'] =>
  async ({ expected, ...request }) => {
    const allowed = firstRejection(keyRefusal(request.key), sizeRefusal(request.size));
    if (isLeft(allowed)) return allowed;
    const absent = expected === 'absent' ? { absent: true as const } : {};
    const contentType = contentTypeOrDefault(request.contentType);
    const claims = { ...request, ...absent, contentType, method: 'PUT' } as const;
    return right(sign(signing, claims, { 'Content-Type': contentType }));
  };

export const signPartLocal =
  (signing: Signing): BlobStore['signPart'] =>
  async ({ upload, ...request }) => {
    const allowed = firstRejection(keyRefusal(upload.key), partRefusal(request.part), sizeRefusal(request.size));
    return isLeft(allowed) ? allowed : right(sign(signing, { ...request, ...upload, method: 'PUT' }));
  };

const carried = ({ contentType, contentDisposition }: SignGet) => ({
  ...(contentType === undefined ? {} : { contentType: contentTypeOrDefault(contentType) }),
  ...(contentDisposition === undefined ? {} : { contentDisposition: carriedDisposition(contentDisposition) }),
});

export const signGetLocal =
  (signing: Signing): BlobStore['signGet'] =>
  async (request) => {
    const refused = keyRefusal(request.key);
    return refused === undefined
      ? right(sign(signing, { ...request, ...carried(request), method: 'GET' }))
      : left(refused);
  };

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
  const [actual, expected] = [Buffer.from(mac), Buffer.from(macOf(secret, text))];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
};

export type TokenFault = 'forged' | 'expired';

export const readToken = (secret: string, token: string, now: number): Either<TokenFault, Claims> => {
  const [text = '', mac = '', ...more] = token.length > longestToken ? [] : token.split('.');
  if (more.length > 0 || !isSigned(secret, text, mac)) return left('forged');
  const claims = decode(Claims, JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  if (isLeft(claims)) return left('forged');
  return claims.right.expires * 1_000 > now ? right(claims.right) : left('expired');
};
