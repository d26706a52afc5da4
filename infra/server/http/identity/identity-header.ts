/**
 * The internal identity header: what the gateway verified, signed for one request and half a minute.
 * `v2.<kid>.<payload>.<signature>`, the last two base64url; the signature also covers key id, method and request target. It is ES256
 * (RFC 7518 section 3.4), or HS256 (section 3.2) with a key shared by the gateway and the receiving service; the key id decides.
 */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeStored, finite, integer, nullable, oneOf, record, text } from '../../../../domain/kernel/codec';
import type { ClientCertificate } from '../../../../packages/resource-server/src/verification/index';
import { type Problem, problem } from '../problem';
import type { Identity } from '../routing/route';
import type { Assertable, CallerKeys } from './caller-keys';
import type { CallerSigner } from './caller-signer';

export const identityHeader = 'septet-identity';

export interface Caller {
  /** Absent on requests that carry no token, which only public routes accept. */
  readonly identity: Identity | undefined;
  readonly requestId: string;
  /** Only on request, because it is large. */
  readonly certificate?: ClientCertificate | undefined;
}

/** Method and target exactly as they stand in the request line. */
export interface RequestLine {
  readonly method: string;
  readonly target: string;
}

const callerMilliseconds = 30_000;
const skewMilliseconds = 5_000;
const maxHeaderLength = 24_000;

const part = text('part', { maxLength: 256 });
const SignedDelegation = record('DelegatedAccess', {
  delegationId: part,
  taskId: part,
  onBehalfOf: part,
  onBehalfOfEpoch: integer(0),
  priorActors: t.array(record('PriorActor', { principalId: part, securityEpoch: integer(0), grantId: part })),
});
const SignedIdentity = record(
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
    methods: t.array(part),
    authContext: t.array(part),
    binding: oneOf('IdentityBinding', ['dpop', 'mtls']),
    keyThumbprint: part,
    delegation: SignedDelegation,
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

interface Covered {
  readonly keyId: string;
  readonly payload: string;
  readonly line: RequestLine;
}

const coveredBytes = ({ keyId, payload, line: { method, target } }: Covered): Buffer =>
  Buffer.from(`v2\n${keyId}\n${method}\n${target}\n${payload}`);

interface HeaderUse {
  readonly line: RequestLine;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface Signing extends HeaderUse {
  readonly signer: CallerSigner;
}

export interface Verifying extends HeaderUse {
  readonly keys: CallerKeys;
}

export const signCaller = ({ identity, requestId, certificate }: Caller, { signer, line, now }: Signing): string => {
  const expiresAt = now + callerMilliseconds;
  const content = JSON.stringify({ requestId, expiresAt, identity: identity ?? null, certificate });
  const payload = Buffer.from(content).toString('base64url');
  const { keyId, sign } = signer.current();
  const signature = sign(coveredBytes({ keyId, payload, line }));
  return `v2.${keyId}.${payload}.${signature.toString('base64url')}`;
};

const parsed = (payload: string): unknown => {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
};

/** A service's own key may assert only that service, with its own scopes: no person, no anonymous caller, no certificate. */
const mayAssert = (asserts: Assertable, { identity, certificate }: t.TypeOf<typeof SignedCaller>): boolean => {
  if (asserts === 'everybody') return true;
  if (identity === null || certificate !== undefined) return false;
  const { principalType, principalId, scopes } = identity;
  const isItself = principalType === 'SERVICE' && principalId === asserts.principalId;
  return isItself && scopes.every((scope) => asserts.scopes.includes(scope));
};

export interface VerifiedCaller {
  readonly caller: Caller;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Left: the fault, for the log; the caller learns only that the header is not accepted. */
export const verifyHeader = (header: string | undefined, use: Verifying): Either<string, VerifiedCaller> => {
  const { keys, line, now } = use;
  if (header === undefined) return left('missing');
  if (header.length > maxHeaderLength) return left('too long');
  const [version, keyId = '', payload = '', signature = '', ...rest] = header.split('.');
  if (version !== 'v2' || rest.length > 0) return left('malformed');
  const key = keys.find(keyId);
  if (key === undefined) return left('unknown key');
  const bytes = Buffer.from(signature, 'base64url');
  if (!key.hasSigned(coveredBytes({ keyId, payload, line }), bytes)) return left('signature differs');
  const decoded = decodeStored(SignedCaller, parsed(payload));
  if (isLeft(decoded)) return left('malformed payload');
  if (!mayAssert(key.asserts, decoded.right)) return left('asserts another caller');
  const { identity, requestId, expiresAt, certificate } = decoded.right;
  if (expiresAt < now - skewMilliseconds) return left('expired');
  if (expiresAt > now + callerMilliseconds + skewMilliseconds) return left('lives too long');
  const caller = { identity: identity ?? undefined, requestId };
  return right({ caller: certificate === undefined ? caller : { ...caller, certificate }, expiresAt });
};

export const verifyCaller = (header: string | undefined, use: Verifying): Either<string, Caller> => {
  const verified = verifyHeader(header, use);
  return isLeft(verified) ? verified : right(verified.right.caller);
};

/** What the gateway signed in good time waited too long for its turn: nothing of it was done. */
export const refuseCaller = (reason: string): Problem =>
  reason === 'expired'
    ? problem('service-unavailable', 'The request waited too long for its turn; send it again.')
    : problem('unauthenticated', 'Requests are accepted from the gateway only.');
