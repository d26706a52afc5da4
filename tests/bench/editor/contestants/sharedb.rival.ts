/** ShareDB with a document of so many nodes, in its own store in memory. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { nodeAt } from '../documents/nodes';

/** The part of its API that is used here; it has no types of its own. */
interface Backend {
  readonly connect: () => { readonly get: (collection: string, id: string) => Document };
  readonly listen: (stream: Duplex) => unknown;
}

interface Document {
  readonly create: (data: unknown, done: (error?: Error) => void) => void;
}

const ShareDB = require('sharedb') as new () => Backend;
const backend = new ShareDB();

const create = async (count: number): Promise<void> => {
  const nodes: Record<string, unknown> = {};
  for (let index = 0; index < count; index += 1) {
    const node = nodeAt(index);
    nodes[node.id] = { ...node, ...node.properties };
  }
  const document = backend.connect().get('documents', 'bench');
  await new Promise<void>((resolve, reject) =>
    document.create({ nodes }, (error) => (error instanceof Error ? reject(error) : resolve())),
  );
};

const streamOf = (socket: WebSocket): Duplex => {
  const stream = new Duplex({
    objectMode: true,
    read: () => undefined,
    write: (message: unknown, _, done) => {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
      done();
    },
  });
  socket.on('message', (bytes: Buffer) => void stream.push(JSON.parse(bytes.toString())));
  socket.on('close', () => stream.destroy());
  return stream;
};

const start = async (): Promise<void> => {
  await create(Number(process.argv[2]));
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  server.on('connection', (socket) => void backend.listen(streamOf(socket)));
  await once(server, 'listening');
  console.log(JSON.stringify({ listening: `127.0.0.1:${(server.address() as AddressInfo).port}` }));
};

void start();
