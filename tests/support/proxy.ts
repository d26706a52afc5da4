/** A TCP proxy in front of a server, so that a test can take the server away and give it back. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface ServerProxy {
  /** The server's URL, through the proxy. */
  readonly url: string;
  /** Connections are cut, and new ones end at once. */
  readonly away: () => void;
  readonly back: () => void;
  readonly close: () => Promise<void>;
}

/** Both ways, until one side ends. */
const join = (socket: Socket, upstream: Socket): void => {
  socket.pipe(upstream).pipe(socket);
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
  let isAway = false;
  const server = createServer((socket) => {
    keep(socket);
    if (isAway) return void socket.destroy();
    const upstream = connect(Number(port), host);
    keep(upstream);
    join(socket, upstream);
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
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
