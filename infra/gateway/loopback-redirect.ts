/** Leads people from the other names of this machine to the one that the public URL has: passkeys and cookies are of a name. */
import type { IncomingMessage } from 'node:http';
import { ownOrigins } from '../http/origins';
import { resolveDestination } from './routing';

/** Where to, or undefined: it may stay. */
export type LoopbackRedirect = (request: IncomingMessage) => string | undefined;

const gatewayPages = /^\/(?:$|docs$|console(?:\/|$))/;

/** A page that somebody looks at; what scripts and programs ask stays answered by every name. */
const isPageVisit = ({ method = '', url = '', headers }: IncomingMessage): boolean => {
  if ((method !== 'GET' && method !== 'HEAD') || !String(headers.accept).includes('text/html')) return false;
  return gatewayPages.test(url.split('?', 1)[0] ?? '') || resolveDestination(method, url)?.browser === true;
};

/** Only where the public URL says `localhost`: an address was asked for by whoever gave one. */
export const createLoopbackRedirect = (publicUrl: string): LoopbackRedirect => {
  const { hostname, origin } = new URL(publicUrl);
  if (hostname !== 'localhost') return () => undefined;
  const others = new Set(ownOrigins(publicUrl).map((own) => new URL(own).host));
  others.delete(new URL(publicUrl).host);
  return (request) =>
    others.has(String(request.headers.host).toLowerCase()) && isPageVisit(request)
      ? `${origin}${request.url}`
      : undefined;
};
