/** A route as a value: express mounting, input decoding, OpenAPI and the typed client all come from it. */
import type { Readable } from 'node:stream';
import type { Either } from 'fp-ts/Either';
import type * as t from 'io-ts';
import type { ClientCertificate } from '../../../../packages/resource-server/src/verification/index';
import type { Problem, ProblemTable } from '../problem';
import type { RefusalNote } from '../refusal-note';
import type { Span } from '../streaming/byte-range';
import type { TooDeep } from '../untrusted-json';

/** An agent that passed its task on, with the epoch and the grant by which it did. */
export interface PriorActor {
  readonly principalId: string;
  readonly securityEpoch: number;
  readonly grantId: string;
}

/** The delegation by which an agent acts, and its delegator. */
export interface DelegatedAccess {
  readonly delegationId: string;
  readonly taskId: string;
  /** The person or service at the beginning. */
  readonly onBehalfOf: string;
  readonly onBehalfOfEpoch: number;
  /** The latest first; none when the delegation is of the person or service itself. */
  readonly priorActors: readonly PriorActor[];
}

/** The caller, as the gateway verified it. */
/** Not assignable to the actor of an event: the caller may be an agent that acts for another principal. */
type CallerId = string & { readonly __role?: 'caller' };

export interface Identity {
  readonly tenantId: string;
  readonly principalId: CallerId;
  readonly principalType: string;
  readonly scopes: readonly string[];
  readonly tokenId: string;
  /** Milliseconds since 1970: when the token ends; long answers end with it. */
  readonly expiresAt?: number;
  /** The token's; long answers end when the principal's rises above it. */
  readonly securityEpoch?: number;
  /** Milliseconds since 1970. */
  readonly issuedAt?: number;
  /** Other claims that a revocation can name: signing key, client, grant and session. */
  readonly keyId?: string;
  readonly clientId?: string;
  readonly grantId?: string;
  readonly sessionId?: string;
  /** When the person signed in, in milliseconds since 1970. Absent without a person, as with client credentials. */
  readonly authenticatedAt?: number;
  /** Whether that was with more than one factor (`acr` 2); with `authenticatedAt` only. */
  readonly multiFactor?: boolean;
  /** Of the sign-in (RFC 8176); with `authenticatedAt` only. */
  readonly methods?: readonly string[];
  /** Input to policies: roles, and what a workload's platform attests. */
  readonly authContext?: readonly string[];
  /** What the token is bound to; absent: nothing. */
  readonly binding?: 'dpop' | 'mtls';
  /** Of the key or certificate that the token is bound to and the request proved (`cnf`). Absent: the token is bound to none. */
  readonly keyThumbprint?: string;
  /** Of agents that act for others. */
  readonly delegation?: DelegatedAccess;
}

export interface RouteRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Header names in lower case. */
  readonly headers: { readonly [name: string]: string | undefined };
  /** As it stands in the request line: the identity header is of it. */
  readonly target: string;
  /** Present on every route whose access is not `public`. */
  readonly identity: Identity;
  readonly requestId: string;
  /** The client's, where the gateway saw one and the route is of OAuth. */
  readonly certificate?: ClientCertificate | undefined;
  /** Aborted when the client goes away or the server drains. Of a route with bytes, only when the client goes away: transfers finish. */
  readonly signal: AbortSignal;
}

/** A body that the handler reads as it arrives. The client sends no faster than that. */
export interface RequestBytes {
  /**
   * Fails when the body is too large, breaks off or stops arriving; the route then answers that, whatever the handler throws. A handler that
   * answers before the end need not read the rest.
   */
  readonly stream: Readable;
  /** Bytes, as announced. Undefined: sent in chunks. */
  readonly length: number | undefined;
}

/** Which bytes a route takes as its body. */
export interface ByteBody {
  /** `application/gzip`, `video/*`, or any. An empty body needs none. */
  readonly mediaTypes: readonly string[];
  /** Content codings that the handler decodes itself, as `gzip`. */
  readonly codings?: readonly string[];
  readonly maxBytes: number;
}

export interface JsonAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
  /** For operators; the caller does not see it. */
  readonly refused?: RefusalNote;
}

/** One server-sent event (WHATWG HTML, section 9.2). */
export interface ServerSentEvent {
  readonly id?: string;
  readonly event?: string;
  /** Already JSON text. */
  readonly data: string;
}

/** Sent with heartbeats, and read no faster than the client reads. */
export interface StreamAnswer {
  readonly stream: AsyncIterable<ServerSentEvent>;
  /** Aborts with a `StreamEnd` as its reason, which is sent to the client. */
  readonly until?: AbortSignal;
}

/** A page for browsers with its security headers, or a redirect. */
export interface PageAnswer {
  readonly status: number;
  /** Undefined where the headers lead elsewhere. */
  readonly page: string | undefined;
  readonly headers: { readonly [name: string]: string };
  /** Each a `Set-Cookie` of its own. */
  readonly cookies?: readonly string[];
  /** Set where the page refuses a caller; for operators only. */
  readonly refused?: RefusalNote;
}

export type ByteStream = Readable | AsyncIterable<Uint8Array>;

interface ByteAnswerHead {
  readonly contentType: string;
  /** With its quotes. Conditional requests compare it; `If-Range` needs a strong one. */
  readonly etag?: string;
  readonly headers?: { readonly [name: string]: string };
}

/** Bytes from the first to the last. `open` is not called for HEAD and where the client has them already. */
export interface WholeBytes extends ByteAnswerHead {
  /** Undefined: sent in chunks. */
  readonly length?: number;
  readonly open: () => Promise<Either<Problem, ByteStream>>;
}

/** Bytes of which a client may have one range: 206, or 416 where there are none. Several ranges at once are refused. */
export interface RangedBytes extends ByteAnswerHead {
  readonly size: number;
  readonly openRange: (span: Span) => Promise<Either<Problem, ByteStream>>;
}

/** Read no faster than the client reads, and destroyed when the client goes away. A stream that fails cuts the connection. */
export type ByteAnswer = WholeBytes | RangedBytes;

export type Answer = JsonAnswer | StreamAnswer | ByteAnswer | PageAnswer | Problem;

/** A request header, for the documentation. */
export interface HeaderDoc {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  /** Of the whole value; other values are refused. */
  readonly pattern?: string;
}

export interface AnswerDoc {
  readonly description: string;
  readonly body?: t.Any;
  readonly headers?: readonly string[];
  readonly contentType?: 'application/json' | 'text/event-stream';
  /** Media types of an answer of bytes. */
  readonly bytes?: readonly string[];
  /** The same as text can be requested instead, of no use to the client, which does not request it. */
  readonly plainText?: true;
  /** Of bytes or text: one range can be requested. */
  readonly ranges?: true;
  /** Where the one derived from `body` is too poor. */
  readonly example?: unknown;
}

export interface Route<Deps, Params = unknown, Query = unknown, Body = unknown> {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Express form: `/v1/principals/:principalId`. */
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  /** For people's browsers, or for the gateway: no other program calls it, so no documentation and no client knows it. */
  readonly page?: true;
  readonly access: 'public' | { readonly scopes: readonly string[] };
  /**
   * The route grants, takes or ends authority: the gateway forwards it only while its revocation state is fresh. Every route that changes
   * state, and is neither a page nor `danger`, must set it; a test fails otherwise.
   */
  readonly sensitive?: boolean;
  /** It gives authority away or cannot be undone: sensitive, and limited more tightly. */
  readonly danger?: true;
  /** A POST that changes nothing: a query whose input does not fit a URL. The query API has no other POST. */
  readonly question?: true;
  /**
   * A group of requests that the gateway limits together. Default: `danger` for such a route, `read` (GET and questions) or `command` for those with
   * a token, and by path for others.
   */
  readonly limitGroup?: string;
  readonly params?: t.Type<Params, unknown>;
  readonly query?: t.Type<Query, unknown>;
  readonly body?: t.Type<Body, unknown>;
  /** Takes the place of the codec `body`; see `byteRoute`. */
  readonly bytes?: ByteBody;
  /** A body for the documentation, where the one derived from the codec is too poor. */
  readonly example?: unknown;
  /** `form` is application/x-www-form-urlencoded, as OAuth requires. */
  readonly bodyType?: 'json' | 'form';
  /** Set where the body may be absent. */
  readonly bodyRequired?: false;
  /** Of a JSON body, whose unknown fields are refused unless newer callers may send more than this version knows. */
  readonly unknownFields?: 'refused' | 'ignored';
  /** Of a JSON body that nests too deep: refused whole unless the route refuses such a part by itself. */
  readonly tooDeep?: TooDeep;
  /** Request headers of the operation, for the documentation. */
  readonly headers?: readonly HeaderDoc[];
  readonly answers: { readonly [status: number]: AnswerDoc };
  /** The stream that this follows, as the WebSocket `/v1/streams` calls it; true: one that is not on it. */
  readonly stream?: string | true;
  /** The codes this route may answer with, besides those of every route. */
  readonly problems?: ProblemTable;
  readonly handle: (deps: Deps, request: RouteRequest<Params, Query, Body>) => Promise<Answer>;
}

/** Infers a route's types from its codecs. */
export const route =
  <Deps>() =>
  <Params, Query, Body>(value: Route<Deps, Params, Query, Body>): Route<Deps, Params, Query, Body> =>
    value;

type ByteRoute<Deps, Params, Query> = Omit<
  Route<Deps, Params, Query, RequestBytes>,
  'body' | 'bodyType' | 'unknownFields' | 'tooDeep'
> & { readonly bytes: ByteBody };

/** A route whose handler reads its body as a stream. The gateway bounds size and time by the `transfer` of the manifest's destination. */
export const byteRoute =
  <Deps>() =>
  <Params, Query>(value: ByteRoute<Deps, Params, Query>): Route<Deps, Params, Query, RequestBytes> =>
    value;

/** A route bound to its dependencies, ready to be mounted. */
export interface BoundRoute extends Omit<Route<never>, 'handle' | 'params' | 'query' | 'body'> {
  readonly params?: t.Mixed;
  readonly query?: t.Mixed;
  readonly body?: t.Mixed;
  /** Of a request that the codecs decoded. */
  readonly handle: (request: RouteRequest<unknown, unknown, unknown>) => Promise<Answer>;
}

export const bind = <Deps, Params, Query, Body>(deps: Deps, value: Route<Deps, Params, Query, Body>): BoundRoute => ({
  ...value,
  handle: (request) => value.handle(deps, request as RouteRequest<Params, Query, Body>),
});

/** Whether its body or an answer is bytes, which may take longer than other requests. */
export const isTransferRoute = ({ bytes, answers }: Pick<BoundRoute, 'bytes' | 'answers'>): boolean =>
  bytes !== undefined || Object.values(answers).some((answer) => answer.bytes !== undefined);

/**
 * Dependencies of routes that are described and never called, also of several parts that a context lists together. `never`, as it stands for
 * those of any route.
 */
export const describedOnly = new Proxy({}, { get: () => ({}) }) as never;
