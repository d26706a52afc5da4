/**
 * The way of another program to one host: a proxy on loopback that answers CONNECT (RFC 9110, section 9.3.6). Addresses are judged as they
 * are connected to, and the bytes that come back are bounded, so that the program needs no bounds of its own.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { publicAddressLookup } from './guarded-fetch';
import { isPublicAddress } from './public-address';

export interface TunnelOptions {
  /** Only its host and port can be reached. */
  readonly target: URL;
  /** The installation's own network may be reached: for tests, and for hosts within. */
  readonly allowPrivate: boolean;
  /** From the host, over all connections. */
  readonly largestBytes: number;
}

export interface GuardedTunnel {
  /** Of the proxy. */
  readonly url: string;
  /** The host sent more than is allowed, and was cut off. */
  readonly isExceeded: () => boolean;
  readonly close: () => Promise<void>;
}

const connectMilliseconds = 10_000;

const refuse = (client: Duplex): void => void client.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');

export const openGuardedTunnel = async (options: TunnelOptions): Promise<GuardedTunnel> => {
  const { target, allowPrivate, largestBytes } = options;
  const host = target.hostname.replaceAll(/[[\]]/g, '');
  const port = Number(target.port === '' ? 443 : target.port);
  const authority = `${target.hostname}:${port}`;
  // A host that is an address already is never looked up.
  const isAllowed = allowPrivate || isIP(host) === 0 || isPublicAddress(host);
  const sockets = new Set<Duplex>();
  let bytes = 0;

  const pair = (client: Duplex, remote: Socket, head: Buffer): void => {
    remote.setTimeout(0);
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    remote.write(head);
    remote.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > largestBytes) for (const socket of sockets) socket.destroy();
    });
    client.pipe(remote);
    remote.pipe(client);
  };
  const server = createServer((_request, response) => void response.writeHead(405, { Connection: 'close' }).end());
  server.on('connect', (request, client: Duplex, head: Buffer) => {
    client.on('error', () => undefined);
    if (request.url !== authority || !isAllowed || bytes > largestBytes) return refuse(client);
    const remote = connect({ host, port, lookup: publicAddressLookup(allowPrivate), timeout: connectMilliseconds });
    for (const [one, other] of [
      [client, remote],
      [remote, client],
    ] as const) {
      sockets.add(one);
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    let isConnected = false;
    // The reason of a failed connection would reveal our network.
    remote.on('error', () => {
      if (!isConnected) refuse(client);
    });
    remote.once('timeout', () => remote.destroy());
    remote.once('connect', () => {
      isConnected = true;
      pair(client, remote, head);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isExceeded: () => bytes > largestBytes,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
