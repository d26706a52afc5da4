/** Many clients in one process, each no more than a connection: what they cost here must not be what is measured. */
import { connect, type Socket } from 'node:net';
import { handshake, textFrame } from '../../support/http/raw-socket';

export type Transport = 'sse' | 'websocket';

export interface Target {
  readonly port: number;
  readonly transport: Transport;
  /** Of the stream, or of the sockets. */
  readonly path: string;
  readonly headers: () => Record<string, string>;
  /** Sent once the socket is open. */
  readonly first?: string;
}

export interface Crowd {
  /** Resolves with each client's milliseconds from `at` until it had a chunk with the text. */
  readonly received: (text: string, at: number) => Promise<readonly number[]>;
  readonly stopReading: () => void;
  readonly close: () => void;
}

const atOnce = 50;

const request = ({ transport, path, headers }: Target): string => {
  if (transport === 'websocket') return handshake(path, headers());
  const lines = Object.entries(headers()).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`;
};

const open = (target: Target): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(target.port, '127.0.0.1');
    let isSubscribed = target.first === undefined;
    const chunk = (bytes: Buffer): void => {
      if (bytes.includes(' 503 ') || bytes.includes(' 429 ')) reject(new Error(bytes.toString()));
      if (!isSubscribed) socket.write(textFrame(target.first ?? ''));
      isSubscribed = true;
      if (!bytes.includes('ready')) return;
      socket.off('data', chunk);
      resolve(socket);
    };
    socket.on('data', chunk);
    socket.once('error', reject);
    socket.write(request(target));
  });

export const openCrowd = async (target: Target, count: number): Promise<Crowd> => {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const more = Math.min(atOnce, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: more }, () => open(target)))));
  }
  for (const socket of sockets) socket.resume();
  return {
    received: (text, at) =>
      Promise.all(
        sockets.map(
          (socket) =>
            new Promise<number>((resolve) => {
              const chunk = (bytes: Buffer): void => {
                if (!bytes.includes(text)) return;
                socket.off('data', chunk);
                resolve(performance.now() - at);
              };
              socket.on('data', chunk);
            }),
        ),
      ),
    stopReading: () => {
      for (const socket of sockets) socket.pause();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
};
