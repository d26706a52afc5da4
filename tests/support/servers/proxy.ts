/** A TCP proxy in front of a server, so that a test can take the server away and give it back. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { deferred } from '../waiting/deferred';

export interface ServerProxy {
  /** The server's URL, through the proxy. */
  readonly url: string;
  /** Connections are cut, and new ones end at once. */
  readonly away: () => void;
  readonly back: () => void;
  /** Connections stay and new ones are taken, but nothing goes through: what a stopped process looks like. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** So many milliseconds are added to every piece of data; 0 ends it. */
  readonly slow: (milliseconds: number) => void;
  readonly close: () => Promise<void>;
}

const openGate = () => {
  let frozen: ReturnType<typeof deferred> | undefined;
  let delay = 0;
  const passes = async (): Promise<void> => {
    if (delay > 0) await sleep(delay);
    await frozen?.promise;
  };
  return {
    through: () =>
      new Transform({ transform: (chunk: Buffer, _, done) => void passes().then(() => done(null, chunk)) }),
    freeze: () => {
      frozen ??= deferred();
    },
    thaw: () => {
      frozen?.resolve();
      frozen = undefined;
    },
    slow: (milliseconds: number) => {
      delay = milliseconds;
    },
  };
};

/** Both ways, until one side ends. */
const join = (socket: Socket, upstream: Socket, through: () => Transform): void => {
  socket.pipe(through()).pipe(upstream);
  upstream.pipe(through()).pipe(socket);
  socket.on('close', () => upstream.destroy());
  upstream.on('close', () => socket.destroy());
};

const keepSockets = () => {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return { keep, cut };
};

export const openProxy = async (target: string): Promise<ServerProxy> => {
  const url = new URL(target);
  const { hostname: host, port } = url;
  const { keep, cut } = keepSockets();
  const { through, freeze, thaw, slow } = openGate();
  let isAway = false;
  const server = createServer((socket) => {
    keep(socket);
    if (isAway) return void socket.destroy();
    const upstream = connect(Number(port), host);
    keep(upstream);
    join(socket, upstream, through);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    away: () => {
      isAway = true;
      cut();
    },
    back: () => {
      isAway = false;
    },
    freeze,
    thaw,
    slow,
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
