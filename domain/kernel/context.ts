/**
 * A context's manifest: what the gateway, the launcher, the documentation and the token endpoint know of a context without loading its
 * code. Plain data. What a context brings to each side stands in that side's folder of its name: `commands/<name>/context.ts`,
 * `projections/<name>/context.ts`, `read-api/<name>/context.ts`, `read-api/web/<name>/section.ts`.
 */

export interface Context {
  /** The name of the context's folder on every side; no dash. */
  readonly name: string;
  /** Scopes that its routes require. Each can be granted, and the first administrator holds them all. */
  readonly scopes: readonly ContextScope[];
  /** Groups of operations in the API document. */
  readonly tags: readonly DocumentationTag[];
  /** Requests that the gateway limits as a group of their own, narrow ones before wide ones. */
  readonly limitGroups: readonly LimitedRequests[];
  /** What routes do not declare: who authenticates, transfers, WebSockets, readers, and paths without a route. Which service answers a route is generated. */
  readonly destinations: readonly Destination[];
  /** Processes that run for this context alone. */
  readonly services: readonly ContextService[];
}

export interface ContextScope {
  /** `<things>:<act>`. */
  readonly name: string;
  /** What it allows, as a consent page puts it: "See who is signed in where". */
  readonly description: string;
}

export interface DocumentationTag {
  readonly name: string;
  readonly description: string;
  readonly paths: RegExp;
}

export interface LimitedRequests {
  readonly name: string;
  /** Left out: every method. */
  readonly methods?: readonly string[];
  /** With `*` for one segment and `**` at the end for any number, as in a rate limit policy. */
  readonly paths: readonly string[];
  /** `strangers`: counted by address before a token is known; `callers`: counted by the token's principal and tenant. */
  readonly by: 'strangers' | 'callers';
  /** Callers with a previously accepted credential have their own counter, so that others at their address cannot exhaust it. */
  readonly provenApart?: true;
}

/**
 * Requests that a service answers. Of the destinations that match a request, the one with the most specific path answers. The gateway does not
 * start when two of one specificity overlap, or two of different contexts.
 */
export interface Destination {
  /**
   * Path templates: `{name}` is a segment or a part of one, without a colon; `/**` at the end is any number of further segments, also none.
   * Paths outside `/v1` are possible.
   */
  readonly paths: readonly string[];
  /** Left out: every method. A GET stands for HEAD, too. */
  readonly methods?: readonly HttpMethod[];
  /** The service's name. Left out: the query API for GET, else the command API. */
  readonly service?: string;
  /** Name of the parameter that chooses among the copies of the service: one value, one copy. */
  readonly key?: string;
  /**
   * `service`: the service authenticates the caller itself, by a signed address, a registration token or HTTP Basic, or needs no proof. The
   * request passes without an access token, limited by address. Left out: the gateway requires an access token.
   */
  readonly authenticatedBy?: 'service';
  /** A page for people: cookies pass in both directions, and the service sets its own content policy. */
  readonly browser?: true;
  /** A POST that changes nothing and that the query API answers: its input does not fit a URL. No other POST reaches the query API. */
  readonly question?: true;
  /** Larger or longer bodies than the usual ones. Left out: `BODY_LIMIT` bytes in one minute. */
  readonly transfer?: TransferLimits;
  /**
   * Pages of other origins may read its answers to GET, without cookies: all (`*`), those listed, or the one that the service names in the
   * answer (`Septet-Readable-By`). Left out: none but `ALLOWED_ORIGINS`.
   */
  readonly readableFrom?: '*' | 'service' | readonly string[];
  /** Whether clients may open WebSockets here. */
  readonly webSocket?: true;
  /** What the service's own API document does not list: Git over HTTP, media, WebSockets. Their methods are the only ones. One path only. */
  readonly operations?: { readonly [Method in HttpMethod]?: DeclaredOperation };
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Bodies of any length stream in both directions, without being collected. */
export interface TransferLimits {
  /** Of a request's body; `Infinity` where the service bounds it, as by a signed length. A response has no limit. */
  readonly maxBytes: number;
  /** Longest time in which no byte moves, in either direction. It takes the place of the time limit of a whole request. */
  readonly idleMilliseconds: number;
  /** Longest time of a whole transfer, however its bytes move. Left out: six hours, in which 5 GiB pass at 250 kB/s. */
  readonly maxMilliseconds?: number;
}

/** What the gateway and the API document know of an operation that no document of a service lists. */
export interface DeclaredOperation {
  /** Its name in the API document. */
  readonly operation: string;
  readonly summary: string;
  /** Scopes of the access token. None where the service authenticates. */
  readonly scopes: readonly string[];
  /** It grants, takes or ends authority: refused while the gateway's knowledge of revocations is not fresh. */
  readonly sensitive: boolean;
  /** Left out: `read` for GET, else `command`; where the service authenticates, the path decides. */
  readonly limitGroup?: string;
}

export interface ContextService {
  /** Its address is `<NAME>_URL` at the gateway, its port `<NAME>_PORT` at the launcher, its shared key `<NAME>_MAC_KEY`. */
  readonly name: string;
  /** The parameter of its routes that chooses among its copies: one value, one copy. Left out: any copy answers. */
  readonly key?: string;
  /** For messages: "The <title> does not answer." */
  readonly title: string;
  /** Its entry point, from the root, without the extension. */
  readonly entry: string;
  /** Whether the service appends to the log; others get a read-only account. */
  readonly appends: boolean;
  /** Longest wait of the gateway for an answer's headers, and for its next byte. Left out: as for the command API. */
  readonly answerMilliseconds?: number;
  /** Whether it reads or writes object storage. */
  readonly usesBlobs?: true;
  /** Whether it calls the command and query APIs itself. */
  readonly callsApis?: true;
  /** The caller that its own signing key, `<name>-signing-key`, asserts in calls to other services. Absent: no such key. */
  readonly signsAs?: { readonly principalId: string; readonly scopes: readonly string[] };
  /** Secrets of this service alone, made at the first start: the file's name and the variable that holds its content. */
  readonly secrets: readonly { readonly name: string; readonly variable: string }[];
}
