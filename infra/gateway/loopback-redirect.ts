/** Redirects page visits from other loopback names to the host of the public URL: passkeys and cookies are bound to one host name. */
import type { IncomingMessage } from 'node:http';
import { ownOrigins } from '../server/http/identity/own-origins';
import { resolveDestination } from './routing/destinations';

/** The target URL, or undefined for no redirect. */
export type LoopbackRedirect = (request: IncomingMessage) => string | undefined;

const gatewayPages = /^\/(?:$|docs$|console(?:\/|$))/;

/** True for navigations of browsers; scripts and programs may use every loopback name. */
const isPageVisit = ({ method = '', url = '', headers }: IncomingMessage): boolean => {
  if ((method !== 'GET' && method !== 'HEAD') || !String(headers.accept).includes('text/html')) return false;
  return gatewayPages.test(url.split('?', 1)[0] ?? '') || resolveDestination(method, url)?.browser === true;
};

/** Active only when the public URL has the host `localhost`. */
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
