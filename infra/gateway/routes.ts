/** Which service a request belongs to, and what needs no token: by prefix and method alone, so that it is known without asking. */

export type UpstreamName = 'commands' | 'read-api' | 'processes' | 'blobs';

export interface Destination {
  readonly upstream: UpstreamName;
  readonly public: boolean;
}

const pathOf = (target: string): string => {
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
};

const publicPaths: { readonly [line: string]: UpstreamName } = {
  'POST /oauth/token': 'commands',
  'POST /v1/bootstrap': 'commands',
  'GET /oauth/jwks': 'commands',
};

/** Writes that the read side takes: they change nothing that is recorded. */
const takenByReadApi = new Set(['POST /v1/streams/tickets']);

const asRead = (method: string): string => (method === 'HEAD' ? 'GET' : method);

/** Bytes to whoever has a signed URL: of any length, and at any pace. */
export const isBlobTarget = (target: string): boolean => target.startsWith('/blobs/');

/** Undefined: nothing is there. */
export const destinationOf = (method: string, target: string): Destination | undefined => {
  const path = pathOf(target);
  const open = publicPaths[`${asRead(method)} ${path}`];
  if (open !== undefined) return { upstream: open, public: true };
  if (isBlobTarget(target)) return { upstream: 'blobs', public: true };
  const reads = asRead(method) === 'GET' || takenByReadApi.has(`${method} ${path}`);
  if (path.startsWith('/.well-known/')) return reads ? { upstream: 'commands', public: true } : undefined;
  if (path.startsWith('/oauth/')) return { upstream: 'commands', public: false };
  if (!path.startsWith('/v1/')) return undefined;
  if (path.startsWith('/v1/platform/work/')) return { upstream: 'processes', public: false };
  return { upstream: reads ? 'read-api' : 'commands', public: false };
};
