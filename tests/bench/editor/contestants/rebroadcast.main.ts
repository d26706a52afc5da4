/** Baseline for presence: every message is sent to all other clients at once. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

const documentId = '00000000-0000-4000-8000-000000000000';
const presenceMilliseconds = 15_000;

const start = async (): Promise<void> => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  const others = new Set<WebSocket>();
  server.on('connection', (socket) => {
    others.add(socket);
    const about = { documentId, userId: 'ada', connectionId: `tab${String(others.size).padStart(7, '0')}` };
    socket.on('message', (bytes: Buffer) => {
      const { type, ...where } = JSON.parse(bytes.toString()) as { readonly type: string };
      const member = { ...about, ...where, expiresAt: Date.now() + presenceMilliseconds };
      const frame = Buffer.from(JSON.stringify({ type, members: [member] }));
      for (const other of others) if (other !== socket) other.send(frame, { binary: false });
    });
    socket.on('close', () => others.delete(socket));
  });
  await once(server, 'listening');
  console.log(JSON.stringify({ listening: `127.0.0.1:${(server.address() as AddressInfo).port}` }));
};

void start();
