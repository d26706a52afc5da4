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
  /** Requests that a service other than the usual one answers. The usual one under `/v1/` is the query API for GET, else the command API. */
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

export interface Destination {
  /** Matched against the path without its query. A group named `key` chooses among the copies of the service: one key, one copy. */
  readonly path: RegExp;
  /** Left out: every method. A GET stands for HEAD, too. */
  readonly methods?: readonly string[];
  /** The service's name. */
  readonly service: string;
  /** No access token is required: the request brings its own proof, or needs none. */
  readonly public?: true;
  /** A page for people: cookies pass in both directions, and the service sets its own content policy. */
  readonly browser?: true;
}

export interface ContextService {
  /** Its address is `<NAME>_URL` at the gateway, its port `<NAME>_PORT` at the launcher, its shared key `<NAME>_MAC_KEY`. */
  readonly name: string;
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
