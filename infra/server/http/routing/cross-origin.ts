/** OAuth endpoints that browsers may read from other origins (Fetch, "CORS protocol"), and the header in which services name the origin. */

/** From a service to the gateway: the one origin that may read this answer. The gateway removes it. */
export const readableByHeader = 'Septet-Readable-By';

/** The same for every caller and read without credentials, so every origin may read them. */
const publicPaths = new Set([
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/oauth/jwks',
]);

/** Called by applications that run in a browser: the origins that are registered for the client may. */
const clientPaths = new Set(['/oauth/token', '/oauth/revoke', '/oauth/userinfo', '/oauth/par']);

const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

/** Also of the single paths of a resource (RFC 9728 section 3.1). */
const isResourceMetadata = (path: string): boolean => /^\/\.well-known\/oauth-protected-resource(?:\/|$)/.test(path);

export const isPublicDocument = (url: string): boolean =>
  publicPaths.has(pathOf(url)) || isResourceMetadata(pathOf(url));
export const isReadByClients = (url: string): boolean => clientPaths.has(pathOf(url));
