/** Passes on how a service has refused a WebSocket. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

const longestRefusal = 65_536;

/** Its answer goes on as it is. */
export const relay = async (answer: IncomingMessage, socket: Socket): Promise<void> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > longestRefusal) return void socket.destroy();
    chunks.push(chunk);
  }
  const status = answer.statusCode ?? 502;
  const names = ['content-type', 'retry-after', 'www-authenticate', 'sec-websocket-version', 'x-request-id'];
  const kept = names.flatMap((name) => (name in answer.headers ? [`${name}: ${answer.headers[name]}\r\n`] : []));
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${kept.join('')}Content-Length: ${size}\r\nConnection: close\r\n\r\n`,
  );
  socket.end(Buffer.concat(chunks));
};
