/** A reverse proxy that serves a server under a path, and can lose answers after they were made. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface PathProxy {
  /** With the path. */
  readonly url: string;
  /** So many of the next answers to commands are made and never arrive. */
  readonly lose: (answers: number) => void;
  /** Answers that were lost. */
  readonly lost: () => number;
  readonly close: () => Promise<void>;
}

const prefix = '/some/place';

const within = ({ url = '' }: IncomingMessage): string => url.slice(prefix.length);

type Place = Pick<URL, 'hostname' | 'port'>;

/** `isLost`: whether an answer to this, once it is made, goes nowhere. */
const passRequest =
  ({ hostname, port }: Place, isLost: (incoming: IncomingMessage) => boolean) =>
  (incoming: IncomingMessage, response: ServerResponse): void => {
    if (!incoming.url?.startsWith(`${prefix}/`)) return void response.writeHead(404).end();
    const { method, headers } = incoming;
    const behind = request({ hostname, port, path: within(incoming), method, headers }, (answer) => {
      // Whole, so that it is known to be done.
      if (isLost(incoming)) return void answer.resume().once('end', () => incoming.socket.destroy());
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.on('error', () => incoming.socket.destroy());
      answer.pipe(response);
    });
    behind.on('error', () => incoming.socket.destroy());
    response.once('close', () => behind.destroy());
    incoming.pipe(behind);
  };

const passSocket =
  ({ hostname, port }: Place) =>
  (incoming: IncomingMessage, socket: Socket): void => {
    const behind = connect(Number(port), hostname, () => {
      const lines = [`GET ${within(incoming)} HTTP/1.1`];
      for (let at = 0; at < incoming.rawHeaders.length; at += 2)
        lines.push(`${incoming.rawHeaders[at]}: ${incoming.rawHeaders[at + 1]}`);
      behind.write(`${lines.join('\r\n')}\r\n\r\n`);
      socket.pipe(behind).pipe(socket);
    });
    for (const one of [socket, behind]) {
      one.on('error', () => undefined);
      one.once('close', () => [socket, behind].map((other) => other.destroy()));
    }
  };

export const openPathProxy = async (target: string): Promise<PathProxy> => {
  const place = new URL(target);
  let toLose = 0;
  let lost = 0;
  const isLost = ({ method }: IncomingMessage): boolean => {
    if (method !== 'POST' || toLose === 0) return false;
    toLose -= 1;
    lost += 1;
    return true;
  };
  const server = createServer(passRequest(place, isLost));
  server.on('upgrade', passSocket(place));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    lose: (answers) => {
      toLose = answers;
    },
    lost: () => lost,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
