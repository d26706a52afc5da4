/** Which service a request goes to, and whether it needs a token: by path and method alone, as the contexts' manifests declare. */
import { contexts } from '../../domain/contexts';

export interface Destination {
  /** The service's name. */
  readonly upstream: string;
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

const methodOrGet = (method: string): string => (method === 'HEAD' ? 'GET' : method);

/** Bytes to whoever has a signed URL: of any length, and at any pace. */
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

/** Undefined: nothing is there. */
export const resolveDestination = (method: string, target: string): Destination | undefined => {
  if (isBlobTarget(target)) return { upstream: 'blobs', public: true };
  const path = pathOf(target);
  const destination = declaredDestination(methodOrGet(method), path);
  if (destination !== undefined) return destination;
  if (!path.startsWith('/v1/')) return undefined;
  return { upstream: methodOrGet(method) === 'GET' ? 'read-api' : 'commands', public: false };
};
