/** The least that fans out: node's http and ws, every message written to every client as it comes. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

const responses = new Set<ServerResponse>();
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });

const send = (bytes: Buffer): void => {
  const framed = Buffer.concat([Buffer.from('data: '), bytes, Buffer.from('\n\n')]);
  for (const response of responses) response.write(framed);
  for (const socket of sockets.clients) socket.send(bytes, { binary: false });
};

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      send(Buffer.concat(chunks));
      response.end();
    });
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write('data: ready\n\n');
  responses.add(response);
});
server.on('upgrade', (request, socket, head) =>
  sockets.handleUpgrade(request, socket, head, (one) => one.send('ready')),
);
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ listening: `127.0.0.1:${(server.address() as AddressInfo).port}` })),
);
