/**
 * The internal identity header: what the gateway verified, signed for one request and half a minute.
 * `v1.<payload>.<mac>`, both base64url; the MAC (HMAC-SHA-256) also covers method and request target.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, finite, integer, nullable, record, text } from '../../domain/kernel/codec';
import type { ClientCertificate } from '../verify/certificate';
import { type Problem, problem } from './problem';
import type { Identity } from './route';

export const identityHeader = 'septet-identity';

export interface Caller {
  /** Absent on requests that carry no token, which only public routes accept. */
  readonly identity: Identity | undefined;
  readonly requestId: string;
  /** Only where it is asked for: it is large. */
  readonly certificate?: ClientCertificate | undefined;
}

/** Method and target exactly as they stand in the request line. */
export interface RequestLine {
  readonly method: string;
  readonly target: string;
}

const lifeMilliseconds = 30_000;
const skewMilliseconds = 5_000;
const longestHeader = 24_000;

const part = text('part', { maxLength: 256 });
export const SignedIdentity = record(
  'Identity',
  { tenantId: part, principalId: part, principalType: part, scopes: t.array(part), tokenId: part },
  {
    expiresAt: integer(0),
    securityEpoch: integer(0),
    issuedAt: integer(0),
    keyId: part,
    clientId: text('ClientId', { maxLength: 2_048 }),
    grantId: part,
    sessionId: part,
    authenticatedAt: integer(0),
    multiFactor: t.boolean,
  },
);
const Certificate = record('Certificate', {
  thumbprint: text('thumbprint', { maxLength: 43 }),
  der: text('der', { maxLength: 11_000 }),
  trusted: t.boolean,
});
const SignedCaller = record(
  'SignedCaller',
  { requestId: part, expiresAt: finite, identity: nullable(SignedIdentity) },
  { certificate: Certificate },
);

const macOf = (key: KeyObject, payload: string, { method, target }: RequestLine): Buffer =>
  createHmac('sha256', key).update(`v1\n${method}\n${target}\n${payload}`).digest();

export interface Signing {
  readonly key: KeyObject;
  readonly line: RequestLine;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export const signCaller = ({ identity, requestId, certificate }: Caller, { key, line, now }: Signing): string => {
  const expiresAt = now + lifeMilliseconds;
  const content = JSON.stringify({ requestId, expiresAt, identity: identity ?? null, certificate });
  const payload = Buffer.from(content).toString('base64url');
  return `v1.${payload}.${macOf(key, payload, line).toString('base64url')}`;
};

const sameBytes = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);

const parsed = (payload: string): unknown => {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
};

/** Left says what is wrong, for the log; the caller learns only that it is not accepted. */
export const verifyCaller = (header: string | undefined, { key, line, now }: Signing): Either<string, Caller> => {
  if (header === undefined) return left('missing');
  if (header.length > longestHeader) return left('too long');
  const [version, payload = '', mac = '', ...rest] = header.split('.');
  if (version !== 'v1' || rest.length > 0) return left('malformed');
  if (!sameBytes(Buffer.from(mac, 'base64url'), macOf(key, payload, line))) return left('signature differs');
  const decoded = decode(SignedCaller, parsed(payload));
  if (isLeft(decoded)) return left('malformed payload');
  const { identity, requestId, expiresAt, certificate } = decoded.right;
  if (expiresAt < now - skewMilliseconds) return left('expired');
  if (expiresAt > now + lifeMilliseconds + skewMilliseconds) return left('lives too long');
  const caller = { identity: identity ?? undefined, requestId };
  return right(certificate === undefined ? caller : { ...caller, certificate });
};

/** What the gateway signed in good time waited too long for its turn: nothing of it was done. */
export const refuseCaller = (reason: string): Problem =>
  reason === 'expired'
    ? problem('service-unavailable', 'The request waited too long for its turn; send it again.')
    : problem('unauthenticated', 'Requests are accepted from the gateway only.');
