/** Clients of both transports through the gateway that are let in and then read nothing more. */
import { connect, type Socket } from 'node:net';
import { handshake, textFrame } from '../../../support/http/raw-socket';

export interface Crowd {
  readonly leave: (count: number) => void;
  readonly close: () => void;
}

const atOnce = 100;

const subscribe = '{"type":"subscribe","id":"s","stream":"security-events"}';

type StreamRequest = (authorization: string) => string;

const streamRequests: readonly StreamRequest[] = [
  (authorization) => `GET /v1/security/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`,
  (authorization) => handshake('/v1/streams', { authorization }),
];

/** Resolves when it follows. */
const join = (port: number, question: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (bytes) => {
      const upgraded = received === '' && bytes.includes('101 Switching');
      received += bytes.toString('latin1');
      if (upgraded) socket.write(textFrame(subscribe));
      if (/^HTTP\/1.1 [45]/.test(received)) {
        socket.destroy();
        reject(new Error(received));
      }
      if (!received.includes('ready')) return;
      socket.pause();
      socket.removeAllListeners('data');
      resolve(socket);
    });
    socket.on('error', reject);
    socket.write(question);
  });

export const openSlowCrowd = async (url: string, token: () => string, each: number): Promise<Crowd> => {
  const port = Number(new URL(url).port);
  const sockets: Socket[] = [];
  for (const request of streamRequests)
    for (let count = 0; count < each; count += atOnce) {
      const some = Array.from({ length: Math.min(atOnce, each - count) }, () =>
        join(port, request(`Bearer ${token()}`)),
      );
      sockets.push(...(await Promise.all(some)));
    }
  const leave = (count: number): void => {
    for (const socket of sockets.splice(0, count)) socket.destroy();
  };
  return { leave, close: () => leave(sockets.length) };
};
