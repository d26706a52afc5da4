/** Maps method and path to a service, as the contexts' manifests declare, and says whether the route needs a token. */
import { contexts } from '../../domain/contexts';

export interface Destination {
  /** The service's name. */
  readonly upstream: string;
  readonly public: boolean;
  /** Key that determines the endpoint of a sharded service. */
  readonly key?: string;
  /** A browser page: it receives and sets account cookies and has its own content security policy. */
  readonly browser?: true;
}

const pathOf = (target: string): string => {
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
};

const methodOrGet = (method: string): string => (method === 'HEAD' ? 'GET' : method);

/** Blob transfers by signed URL: no size limit and no minimum speed. */
export const isBlobTarget = (target: string): boolean => target.startsWith('/blobs/');

const declared = contexts.flatMap(({ destinations }) => destinations);

const declaredDestination = (method: string, path: string): Destination | undefined => {
  for (const { path: shape, methods, service, public: isPublic = false, browser } of declared) {
    if (methods !== undefined && !methods.includes(method)) continue;
    const match = shape.exec(path);
    if (match === null) continue;
    const key = match.groups?.key;
    return {
      upstream: service,
      public: isPublic,
      ...(key === undefined ? {} : { key }),
      ...(browser === undefined ? {} : { browser }),
    };
  }
  return undefined;
};

/** Undefined: no service serves the path. */
export const resolveDestination = (method: string, target: string): Destination | undefined => {
  if (isBlobTarget(target)) return { upstream: 'blobs', public: true };
  const path = pathOf(target);
  const destination = declaredDestination(methodOrGet(method), path);
  if (destination !== undefined) return destination;
  if (!path.startsWith('/v1/')) return undefined;
  return { upstream: methodOrGet(method) === 'GET' ? 'read-api' : 'commands', public: false };
};
