/** Where a client is: at the other end of its connection, or where proxies that are believed say. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { places } from './places';

/** A listener for both families shows IPv4 callers as mapped addresses. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** At the other end of the connection, whoever that is for. */
export const peerOf = ({ socket }: IncomingMessage): string => plain(socket.remoteAddress ?? '');

/** As proxies write them: bare, with a port, or in brackets. */
const addressIn = (entry: string): string => {
  const [, bracketed, version4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(entry) ?? [];
  return plain(bracketed ?? version4 ?? entry);
};

/** More proxies than stand behind each other anywhere; what is further left was written by clients. */
const mostProxies = 16;

const located = new WeakMap<IncomingMessage, string>();

export const addressOf = (request: IncomingMessage): string => located.get(request) ?? peerOf(request);

/**
 * Each proxy adds who asked it, at the right. From there on, entries count as long as it was a believed proxy that wrote them; what
 * stands left of the first stranger is what that stranger wrote.
 */
export const locating = (proxies: readonly string[]): ((request: IncomingMessage) => void) => {
  if (proxies.length === 0) return () => undefined;
  const believed = places(proxies);
  return (request) => {
    let address = peerOf(request);
    const entries = (request.headersDistinct['x-forwarded-for'] ?? []).join(',').split(',').slice(-mostProxies);
    while (believed.has(address)) {
      const next = addressIn(entries.pop()?.trim() ?? '');
      if (isIP(next) === 0) break;
      address = next;
    }
    located.set(request, address);
  };
};
