/** Which service a request belongs to, and what needs no token: by prefix and method alone, so that it is known without asking. */

export type UpstreamName = 'commands' | 'read-api' | 'processes' | 'blobs' | 'ratelimit' | 'editor';

export interface Destination {
  readonly upstream: UpstreamName;
  readonly public: boolean;
  /** What the copies of a service divide among them. */
  readonly key?: string;
  /** A page for people: their cookie goes there and comes from there, and what it may do it says itself. */
  readonly browser?: true;
}

const pathOf = (target: string): string => {
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
};

const publicPaths: { readonly [line: string]: UpstreamName } = {
  'POST /v1/bootstrap': 'commands',
};

/** Where people sign in, allow, and look after their account. */
const peoplesPages = /^\/(?:sign-in|consent|device|account|oauth\/(?:authorize|logout))(?:\/|$)/;

/** Writes that the read side takes: they change nothing that is recorded. */
const takenByReadApi = new Set(['POST /v1/streams/tickets']);

const asRead = (method: string): string => (method === 'HEAD' ? 'GET' : method);

/** What the limiter is asked; what was used of quotas is recorded and read as everything is. */
const askedOfLimiter = /^\/v1\/ratelimit\/(?:check|peek|settle)(?:\/batch)?$/;

/** Asked of whoever owns the document: its content, as opposed to what is said of it. */
const askedOfOwner =
  /^\/v1\/documents\/([A-Za-z0-9_-]+)(?:\/socket|\/operations:batch|\/versions\/\d+(?::restore)?|\/diff|:duplicate)$/;

/** Bytes to whoever has a signed URL: of any length, and at any pace. */
export const isBlobTarget = (target: string): boolean => target.startsWith('/blobs/');

/** Undefined: nothing is there. */
export const destinationOf = (method: string, target: string): Destination | undefined => {
  const path = pathOf(target);
  const open = publicPaths[`${asRead(method)} ${path}`];
  if (open !== undefined) return { upstream: open, public: true };
  if (peoplesPages.test(path)) return { upstream: 'commands', public: true, browser: true };
  if (isBlobTarget(target)) return { upstream: 'blobs', public: true };
  const reads = asRead(method) === 'GET' || takenByReadApi.has(`${method} ${path}`);
  if (path.startsWith('/.well-known/')) return reads ? { upstream: 'commands', public: true } : undefined;
  // Clients authenticate themselves there, each in its own way.
  if (path.startsWith('/oauth/')) return { upstream: 'commands', public: true };
  if (!path.startsWith('/v1/')) return undefined;
  if (path.startsWith('/v1/platform/work/')) return { upstream: 'processes', public: false };
  if (askedOfLimiter.test(path)) return { upstream: 'ratelimit', public: false };
  const [, document] = askedOfOwner.exec(path) ?? [];
  if (document !== undefined) return { upstream: 'editor', public: false, key: document };
  return { upstream: reads ? 'read-api' : 'commands', public: false };
};
