/** A client that counts bytes and keeps none, so that it takes little of the processor from the server under test. */
import { connect } from 'node:net';

const bufferBytes = 512 * 1024;

export interface ByteClient {
  /** Resolves with the length of the body; rejects for another status than 200. */
  readonly get: (path: string) => Promise<number>;
  readonly close: () => void;
}

export const openByteClient = (url: string): Promise<ByteClient> =>
  new Promise((opened, failed) => {
    const { hostname, port, host } = new URL(url);
    let settle: { resolve: (length: number) => void; reject: (error: Error) => void } | undefined;
    let head = '';
    let length = 0;
    let left = 0;
    const receive = (size: number, buffer: Uint8Array): boolean => {
      let body = size;
      if (left === 0) {
        const text = head + Buffer.from(buffer.buffer, buffer.byteOffset, size).toString('latin1');
        const end = text.indexOf('\r\n\r\n');
        if (end < 0) {
          head = text;
          return true;
        }
        if (!text.startsWith('HTTP/1.1 200 ')) settle?.reject(new Error(text.slice(0, 40)));
        length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
        left = length;
        body = text.length - end - 4;
        head = '';
      }
      left -= body;
      if (left === 0) settle?.resolve(length);
      return true;
    };
    const socket = connect({
      host: hostname,
      port: Number(port),
      onread: { buffer: Buffer.alloc(bufferBytes), callback: receive },
    });
    const fail = (error: Error): void => {
      settle?.reject(error);
      failed(error);
    };
    socket.once('error', fail).once('close', () => fail(new Error('the connection was closed')));
    socket.once('connect', () =>
      opened({
        get: (path) =>
          new Promise((resolve, reject) => {
            settle = { resolve, reject };
            socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
          }),
        close: () => void socket.destroy(),
      }),
    );
  });
