/**
 * Envoy's ext_authz over HTTP. The path behind the prefix is the path of the checked request, and headers of the proxy name the required
 * scopes and audience. Answers 200 with identity headers, or the response for the client.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type AccessCheckRequest,
  certificateInHeader,
  checkAccess,
  type VerifiedAccess,
} from '../../packages/resource-server/src/verification/index';
import { optional } from '../server/http/identity/revocable-claims';
import { type Problem, problem } from '../server/http/problem';
import type { AuthEventRecorder } from './auth-events/auth-event-recorder';
import { noteAccess } from './auth-events/decision-notes';
import { type Authentication, identityOf, problemFor, setDpopNonce } from './authentication/authenticate';
import { createCidrList, peerAddressOf } from './authentication/client-address';
import type { PolicyCheck } from './policy/policy-check';
import type { PolicyAction } from './policy/policy-request';
import { enforceRateLimit } from './rate-limit/enforce';
import type { RateLimit, RateLimitRequest } from './rate-limit/rate-limiter';

export interface CheckRequestOptions {
  readonly prefix: string;
  /** Audiences that a check request may name; the first is the default. */
  readonly audiences: readonly string[];
}

/** A header that occurs twice is rejected: either copy could come from the client. Scopes are exempt, because an extra scope only restricts. */
const singleHeader = (request: IncomingMessage, name: string): string | undefined => {
  const [value, ...more] = request.headersDistinct[name] ?? [];
  return more.length === 0 ? value : '';
};

const requestedScopesOf = ({ headersDistinct }: IncomingMessage): readonly string[] =>
  (headersDistinct['x-septet-required-scopes'] ?? []).flatMap((value) => value.split(/[\s,]+/)).filter(Boolean);

/** Quoted parts are text of the certificate: subjects contain commas and semicolons. */
const quoted = /"(?:[^"\\]|\\.)*"/g;

/** `x-forwarded-client-cert` of Envoy has the SHA-256 as hex, for one certificate. */
const hashIn = (header: string | undefined): string | undefined => {
  const unquoted = header?.replaceAll(quoted, '');
  if (unquoted === undefined || /[",]/.test(unquoted)) return undefined;
  const [hash, ...more] = unquoted.split(';').filter((part) => /^Hash=/i.test(part));
  const [, hex] = /^Hash=([0-9a-f]{64})$/i.exec(hash ?? '') ?? [];
  return hex === undefined || more.length > 0 ? undefined : Buffer.from(hex, 'hex').toString('base64url');
};

const thumbprintOf = (request: IncomingMessage): string | undefined =>
  certificateInHeader(singleHeader(request, 'client-cert'))?.thumbprint ??
  hashIn(singleHeader(request, 'x-forwarded-client-cert'));

const checkedUrlOf = (request: IncomingMessage, prefix: string): string => {
  const protocol = singleHeader(request, 'x-forwarded-proto') === 'http' ? 'http' : 'https';
  const path = (request.url ?? '').slice(prefix.length);
  return `${protocol}://${request.headers.host ?? ''}${path.startsWith('/') ? path : `/${path}`}`;
};

/** As it was written: a URL object would normalise it. */
const targetOf = (url: string): string => url.slice(url.indexOf('/', url.indexOf('//') + 2));

const readCheckRequest = (
  request: IncomingMessage,
  { prefix, audiences }: CheckRequestOptions,
): Either<Problem, AccessCheckRequest> => {
  const audience = singleHeader(request, 'x-septet-required-audience') ?? audiences[0];
  if (audience === undefined || !audiences.includes(audience))
    return left(problem('forbidden', 'The proxy asks for an audience that it may not ask for.'));
  const credentials = {
    authorization: request.headers.authorization,
    proof: singleHeader(request, 'dpop'),
    certificate: thumbprintOf(request),
    method: request.method ?? '',
    url: checkedUrlOf(request, prefix),
  };
  // Any value counts: a client that adds the header only restricts its own request.
  const sensitive = request.headers['x-septet-sensitive'] !== undefined;
  return right({ credentials, required: requestedScopesOf(request), audience, sensitive });
};

export interface ExtAuthz {
  /** True only for check requests of trusted proxies; other peers get 404. */
  readonly is: (request: IncomingMessage) => boolean;
  /** Undefined: the request is allowed and 200 was sent. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<Problem | undefined>;
}

export interface ExtAuthzOptions extends CheckRequestOptions {
  readonly authentication: Authentication;
  readonly peers: readonly string[];
  readonly rateLimit?: RateLimit | undefined;
  readonly authEvents?: AuthEventRecorder | undefined;
  readonly checkPolicy?: PolicyCheck | undefined;
}

const percentEncode = (letter: string): string =>
  [...Buffer.from(letter)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** Percent-encodes everything but visible ASCII, so that a value cannot start another header. */
const headerValue = (value: string | number | undefined): string =>
  String(value ?? '').replaceAll(/[^\x21-\x24\x26-\x7e]/gu, percentEncode);

const checkedGroup = 'checked';

/** All checked requests count in one route group: the gateway does not know the routes of other services. */
const rateLimitRequestOf = ({ claims }: VerifiedAccess): RateLimitRequest => ({
  identity: { tenantId: claims.tenant_id, principalId: claims.sub, ...optional('clientId', claims.client_id) },
  route: checkedGroup,
});

/** Sets every identity header, also empty ones, to overwrite values that the client sent. */
const identityHeadersOf = ({ claims }: VerifiedAccess): Readonly<Record<string, string>> => ({
  'X-Septet-Principal': headerValue(claims.sub),
  'X-Septet-Principal-Type': headerValue(claims.principal_type),
  'X-Septet-Tenant': headerValue(claims.tenant_id),
  'X-Septet-Scopes': claims.scopes.map(headerValue).join(' '),
  'X-Septet-Token': headerValue(claims.jti),
  'X-Septet-Expires': headerValue(claims.exp),
  'X-Septet-Client': headerValue(claims.client_id),
  'X-Septet-Session': headerValue(claims.sid),
  'X-Septet-On-Behalf-Of': headerValue(claims.on_behalf_of),
  'X-Septet-Task': headerValue(claims.task_id),
});

/** Its path is of another service. */
const checkedAction = ({ credentials: { url }, required: scopes, audience }: AccessCheckRequest): PolicyAction => ({
  scopes,
  routeGroup: checkedGroup,
  audience,
  target: targetOf(url),
  isForeign: true,
});

const isBelow = (prefix: string, url = ''): boolean => url === prefix || url.startsWith(`${prefix}/`);

export const createExtAuthz = (options: ExtAuthzOptions): ExtAuthz => {
  const { authentication, peers, prefix } = options;
  const asking = createCidrList(peers);
  return {
    is: (request) => isBelow(prefix, request.url) && asking.has(peerAddressOf(request)),
    answer: async (request, response) => {
      const checkRequest = readCheckRequest(request, options);
      if (isLeft(checkRequest)) {
        options.authEvents?.decided(request, checkRequest.left);
        return checkRequest.left;
      }
      const access = await checkAccess(authentication, checkRequest.right);
      noteAccess(request, access, checkRequest.right.audience);
      const refused = isLeft(access)
        ? problemFor(access.left)
        : await options.checkPolicy?.(request, identityOf(access.right), checkedAction(checkRequest.right));
      options.authEvents?.decided(request, refused);
      if (isLeft(access) || refused !== undefined) return refused;
      setDpopNonce(response, authentication);
      if (!(await enforceRateLimit(options.rateLimit, response, rateLimitRequestOf(access.right)))) return undefined;
      response.writeHead(200, { 'Content-Length': 0, 'Cache-Control': 'no-store', ...identityHeadersOf(access.right) });
      response.end();
      return undefined;
    },
  };
};
