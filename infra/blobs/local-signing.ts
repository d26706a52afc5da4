/** Requests that a directory's own routes will accept from whoever has them. */
import { isLeft, left, right } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import type { Blobs, SignedRequest, SignGet } from '../ports/blobs';
import {
  carriedDisposition,
  carriedType,
  keyRefusal,
  lifetime,
  partRefusal,
  sizeRefusal,
  unlessRefused,
} from './limits';
import { type Claims, type GetClaims, type PutClaims, signToken } from './local-token';

export interface Signing {
  /** At least 32 characters; who knows it can make URLs. */
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
  (signing: Signing): Blobs['signPut'] =>
  async ({ expected, ...request }) => {
    const allowed = unlessRefused(keyRefusal(request.key), sizeRefusal(request.size));
    if (isLeft(allowed)) return allowed;
    const absent = expected === 'absent' ? { absent: true as const } : {};
    const contentType = carriedType(request.contentType);
    const claims = { ...request, ...absent, contentType, method: 'PUT' } as const;
    return right(sign(signing, claims, { 'Content-Type': contentType }));
  };

export const signPartLocal =
  (signing: Signing): Blobs['signPart'] =>
  async ({ upload, ...request }) => {
    const allowed = unlessRefused(keyRefusal(upload.key), partRefusal(request.part), sizeRefusal(request.size));
    return isLeft(allowed) ? allowed : right(sign(signing, { ...request, ...upload, method: 'PUT' }));
  };

const carried = ({ contentType, contentDisposition }: SignGet) => ({
  ...(contentType === undefined ? {} : { contentType: carriedType(contentType) }),
  ...(contentDisposition === undefined ? {} : { contentDisposition: carriedDisposition(contentDisposition) }),
});

export const signGetLocal =
  (signing: Signing): Blobs['signGet'] =>
  async (request) => {
    const refused = keyRefusal(request.key);
    return refused === undefined
      ? right(sign(signing, { ...request, ...carried(request), method: 'GET' }))
      : left(refused);
  };
