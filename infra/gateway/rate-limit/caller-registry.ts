/**
 * Identifies callers before authentication by the credential that they present: token, client credentials or cookie. The failure limiter
 * counts callers at one address separately by it, and credentials that succeeded before are not throttled with their neighbours.
 */

import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import {
  accessTokenHash,
  type ClientCertificate,
  type VerifiedTokenCache,
} from '../../../packages/resource-server/src/verification/index';
import type { AccountCookies } from '../../server/http/identity/account-cookies';
import { parseOffer } from '../../server/ws/handshake';
import type { SessionCookie } from '../bff/session-cookie';
import { refusalNoteFor } from '../refusals/refusal-notes';
import { resolveDestination } from '../routing/destinations';
import { claimedClient, claimedSecret, type KnownClient, parseClientId, parseForm } from './claimed-client';
import { rateLimitSubject } from './enforce';
import { authenticatesClients, carriesClientId, isSessionPath } from './route-groups';

export interface UnverifiedCaller {
  readonly kind: 'token' | 'client' | 'session' | 'browser' | 'anonymous';
  /** Bucket that separates callers at one address; undefined when the route needs no credential. */
  readonly key: string | undefined;
  /** Hashes of reusable credentials. One that succeeded proves the caller. */
  readonly credentials: readonly string[];
  /** Hash of everything presented. */
  readonly presented?: string;
  /** The claimed client id. */
  readonly client?: string | undefined;
  /** Bucket of the presented grant: it separates the users of one client. */
  readonly grant?: number | undefined;
}

export interface CallerRegistry {
  /** `body`: for requests whose form names the client. */
  readonly of: (request: IncomingMessage, body?: Buffer) => UnverifiedCaller;
  readonly isProven: (caller: UnverifiedCaller) => boolean;
  /** The claimed client, if an answer of the authorization server showed that it exists. Looks nothing up. */
  readonly knownClientOf: (caller: UnverifiedCaller) => KnownClient | undefined;
  /** The same credentials were answered with 401 before. */
  readonly wasRejected: (caller: UnverifiedCaller) => boolean;
  /** Key that rate limits use before authentication. */
  readonly limitKeyOf: (caller: UnverifiedCaller) => string | undefined;
  /** Records from every response whether the presented credential was accepted. */
  readonly recordResponse: (response: ServerResponse) => void;
  /** The same for a WebSocket handshake, which has no response object. */
  readonly recordHandshake: (request: IncomingMessage, status: number) => void;
}

export interface CallerRegistryOptions {
  readonly verifiedTokens: Pick<VerifiedTokenCache, 'find'>;
  readonly accountCookies?: AccountCookies | undefined;
  readonly sessionCookie?: SessionCookie | undefined;
  readonly certificateOf?: ((request: IncomingMessage) => ClientCertificate | undefined) | undefined;
}

/**
 * Clients choose what they present, so keys are hashed into a fixed number of buckets. With this many, the limit of an address is reached
 * before made-up credentials fill another caller's bucket.
 */
const callerBuckets = 256;
const maxRemembered = 20_000;

const hashOf = (...parts: readonly string[]): string => hash('sha256', JSON.stringify(parts), 'base64url');

const bucketOf = (name: string): number => Number.parseInt(hash('sha256', name, 'hex').slice(0, 8), 16) % callerBuckets;

const tokenIn = (authorization: string): string | undefined => /^(?:bearer|dpop) +(\S+) *$/i.exec(authorization)?.[1];

/** Parameters that only one user of a client knows. */
const grantFields = ['code', 'refresh_token', 'device_code', 'subject_token'];

/** A bounded set that drops its oldest members. */
const createRecentSet = () => {
  const members = new LRUCache<string, true>({ max: maxRemembered });
  return {
    isEmpty: (): boolean => members.size === 0,
    has: (member: string): boolean => members.has(member),
    add: (member: string): void => void members.set(member, true),
    remove: (member: string): void => void members.delete(member),
  };
};

const anonymousCaller: UnverifiedCaller = { kind: 'anonymous', key: 'nobody', credentials: [] };
/** Routes without credentials: failures count for the address only. */
const unkeyedCaller: UnverifiedCaller = { kind: 'anonymous', key: undefined, credentials: [] };

const tokenCaller = (token: string): UnverifiedCaller => {
  const credential = accessTokenHash(token);
  return { kind: 'token', key: `token.${bucketOf(credential)}`, credentials: [credential], presented: credential };
};

const cookieCaller = (
  kind: 'session' | 'browser',
  presented: string,
  credentials: readonly string[],
): UnverifiedCaller => ({
  kind,
  key: `${kind}.${bucketOf(presented)}`,
  credentials,
  presented: hashOf(kind, presented),
});

/** Assertions differ each time, so client id and key id identify the caller. An attacker who knows both gains a share of that client's limit. */
const assertionCredentialOf = (form: URLSearchParams | undefined): readonly string[] => {
  const [header = '', , signature] = form?.get('client_assertion')?.split('.') ?? [];
  return signature === undefined ? [] : ['assertion', header];
};

const clientCaller = (
  { certificateOf }: CallerRegistryOptions,
  request: IncomingMessage,
  body: Buffer | undefined,
): UnverifiedCaller => {
  const { authorization } = request.headers;
  const form = parseForm(body);
  const client = claimedClient(authorization, form);
  const secret = claimedSecret(authorization, form);
  const thumbprint = certificateOf?.(request)?.thumbprint;
  const grants = grantFields.map((name) => form?.get(name) ?? '');
  const grant = grants.every((value) => value === '') ? undefined : bucketOf(hashOf(...grants));
  const lasting = [
    ...(secret === undefined ? [] : ['secret', secret]),
    ...(thumbprint === undefined ? [] : ['certificate', thumbprint]),
    ...assertionCredentialOf(form),
  ];
  if (client === undefined && lasting.length === 0 && grant === undefined) return unkeyedCaller;
  const presented = hashOf(client ?? '', ...lasting, form?.get('client_assertion') ?? '', ...grants);
  const credentials = lasting.length === 0 ? [] : [hashOf('client', client ?? '', ...lasting)];
  return { kind: 'client', key: `client.${bucketOf(presented)}`, credentials, presented, client, grant };
};

const cookiesCaller = (
  { accountCookies: cookies, sessionCookie }: CallerRegistryOptions,
  request: IncomingMessage,
): UnverifiedCaller | undefined => {
  if (request.headers.cookie === undefined) return undefined;
  const session = sessionCookie?.read(request);
  if (session !== undefined) return cookieCaller('session', session, [hashOf('session', session)]);
  const read = (which: 'account' | 'device' | 'visit') => cookies?.read(request.headers.cookie, which);
  const [account, device, visit] = [read('account'), read('device'), read('visit')];
  const presented = account ?? device ?? visit;
  if (presented === undefined) return undefined;
  const lasting = [account, device].filter((value) => value !== undefined);
  return cookieCaller(
    'browser',
    presented,
    lasting.map((value) => hashOf('browser', value)),
  );
};

const callerOf = (
  options: CallerRegistryOptions,
  request: IncomingMessage,
  body: Buffer | undefined,
): UnverifiedCaller => {
  const { method = '', url = '', headers } = request;
  if (carriesClientId(url)) return clientCaller(options, request, body);
  const token = headers.authorization === undefined ? parseOffer(request)?.ticket : tokenIn(headers.authorization);
  if (token !== undefined) return tokenCaller(token);
  if (headers.authorization !== undefined) return tokenCaller(headers.authorization);
  const byCookie = cookiesCaller(options, request);
  if (byCookie !== undefined) return byCookie;
  return isSessionPath(url) || resolveDestination(method, url)?.authenticatedBy === 'service'
    ? unkeyedCaller
    : anonymousCaller;
};

/** Session and device cookies that a response sets. */
const startedSessionsIn = (
  response: ServerResponse,
  { accountCookies: cookies, sessionCookie }: CallerRegistryOptions,
) => {
  const header = response.getHeader('set-cookie');
  if (header === undefined) return [];
  const pairs = [header].flat().map((line) => String(line).split(';', 1).join());
  return pairs.flatMap((cookie) => {
    const session = sessionCookie?.read({ headers: { cookie } });
    const browser = cookies?.read(cookie, 'account') ?? cookies?.read(cookie, 'device');
    return [
      ...(session === undefined ? [] : [hashOf('session', session)]),
      ...(browser === undefined ? [] : [hashOf('browser', browser)]),
    ];
  });
};

export const createCallerRegistry = (options: CallerRegistryOptions): CallerRegistry => {
  const [proven, refused, clients] = [createRecentSet(), createRecentSet(), createRecentSet()];
  const found = new WeakMap<IncomingMessage, UnverifiedCaller>();
  const of: CallerRegistry['of'] = (request, body) => {
    const before = body === undefined ? found.get(request) : undefined;
    if (before !== undefined) return before;
    const caller = callerOf(options, request, body);
    found.set(request, caller);
    return caller;
  };
  const isProof = ({ req, statusCode: status }: ServerResponse, { kind }: UnverifiedCaller): boolean => {
    if (kind === 'client') return status >= 200 && status < 300 && authenticatesClients(req.url ?? '');
    // Account pages answer 200 to signed-in browsers only; others are redirected.
    if (kind === 'browser') return status === 200 && /^\/account(?:[/?]|$)/.test(req.url ?? '');
    if (kind !== 'session') return false;
    return rateLimitSubject(req) === 'known' || (status === 200 && isSessionPath(req.url ?? ''));
  };
  const recordRejection = (request: IncomingMessage, status: number): void => {
    if (status !== 401 && (status >= 300 || refused.isEmpty())) return;
    const { presented } = of(request);
    if (presented !== undefined) (status === 401 ? refused.add : refused.remove)(presented);
  };
  const isProven: CallerRegistry['isProven'] = ({ kind, credentials }) =>
    credentials.some((one) => (kind === 'token' ? options.verifiedTokens.find(one) !== undefined : proven.has(one)));
  /** The authorization server notes whose client it was only of clients that exist. */
  const recordClient = ({ req }: ServerResponse, client: string | undefined): void => {
    const existing = client ?? refusalNoteFor(req)?.clientId;
    if (existing !== undefined) clients.add(existing);
  };
  return {
    of,
    isProven,
    knownClientOf: (caller) => {
      const { client } = caller;
      if (client === undefined || !clients.has(client)) return undefined;
      const named = parseClientId(client);
      return named === undefined ? undefined : { ...named, isProven: isProven(caller) };
    },
    wasRejected: ({ presented }) => presented !== undefined && refused.has(presented),
    limitKeyOf: ({ kind, client, grant, key, credentials }) => {
      const good = credentials.find((one) => proven.has(one));
      if (kind === 'client')
        return client === undefined || good !== undefined || grant === undefined ? client : `${client} ${grant}`;
      return kind === 'session' || kind === 'browser' ? (good ?? key) : undefined;
    },
    recordResponse: (response) => {
      const { req: request, statusCode: status } = response;
      for (const credential of startedSessionsIn(response, options)) proven.add(credential);
      recordRejection(request, status);
      const { authorization, cookie } = request.headers;
      const isClient = carriesClientId(request.url ?? '');
      // Verified tokens are cached by the verifier.
      if (!isClient && (authorization !== undefined || cookie === undefined)) return;
      const caller = of(request);
      const succeeded = isProof(response, caller);
      if (isClient) recordClient(response, succeeded ? caller.client : undefined);
      if (succeeded) for (const credential of caller.credentials) proven.add(credential);
      else if (status === 401 && (isClient || caller.kind === 'session'))
        for (const credential of caller.credentials) proven.remove(credential);
    },
    recordHandshake: recordRejection,
  };
};
