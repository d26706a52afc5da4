/** A workflow service that a test scripts: HTTP and WebSocket on the loopback, with faults on demand. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type WebSocket, WebSocketServer } from 'ws';

export interface Json {
  readonly [name: string]: unknown;
}

export interface SentChunk {
  readonly chunkOffset: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly checksum: string;
  readonly encoding: 'plain' | 'gzip';
  readonly payload: string;
}

export interface Report {
  readonly epoch: number;
  readonly result: string;
  readonly reason: string | null;
  readonly outputs: { readonly [name: string]: string };
  readonly steps: readonly {
    readonly stepId: string;
    readonly name: string;
    readonly status: string;
    readonly exitCode: number | null;
  }[];
  readonly annotations: readonly Json[];
  readonly summary: string | null;
  readonly logChunks: number;
}

export type Answering = (call: {
  readonly path: string;
  readonly body: Json;
  readonly token: string;
}) =>
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'hang'
  | undefined;

export interface ControlPlane {
  readonly url: string;
  readonly jobId: string;
  /** Answers in place of the service, where it returns something. */
  answer: Answering;
  /** Whether heartbeats are confirmed. */
  confirms: boolean;
  /** Whether sockets are accepted. */
  acceptsSockets: boolean;
  readonly calls: { readonly path: string; readonly body: Json; readonly token: string }[];
  readonly heartbeats: Json[];
  /** Messages of the socket. */
  readonly messages: Json[];
  readonly chunks: () => readonly SentChunk[];
  readonly log: () => string;
  readonly push: (message: Json) => void;
  readonly dropSockets: () => void;
  readonly report: () => Report | undefined;
  /** Resolves when the condition holds, looked at after each call and message. */
  readonly until: (condition: () => boolean) => Promise<void>;
  readonly close: () => Promise<void>;
}

export const runnerId = '0197c9a0-0000-7000-8000-0000000000aa';
export const jobId = '0197c9a0-0000-7000-8000-0000000000bb';
export const credential = 'credential-of-the-runner';
export const registrationToken = 'registration-token';

const stale = { status: 409, body: { code: 'stale_epoch', detail: 'Another lease is newer.' } };

export const textOf = ({ encoding, payload }: SentChunk): string => {
  const bytes = Buffer.from(payload, 'base64');
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
};

export const openControlPlane = async (): Promise<ControlPlane> => {
  const stored = new Map<number, SentChunk>();
  const sockets = new Set<WebSocket>();
  const polled: Json[] = [];
  let report: Report | undefined;
  let waiting: { readonly condition: () => boolean; readonly resolve: () => void }[] = [];
  const look = (): void => {
    const ready = waiting.filter(({ condition }) => condition());
    waiting = waiting.filter((each) => !ready.includes(each));
    for (const { resolve } of ready) resolve();
  };
  const next = (): number => {
    let number = 0;
    while (stored.has(number)) number += 1;
    return number;
  };
  const perform = (path: string, body: Json): Exclude<ReturnType<Answering>, 'hang'> => {
    if (path === '/runner/register') return { status: 201, body: { runnerId, credential } };
    if (path === '/runner/heartbeat') {
      plane.heartbeats.push(body);
      return plane.confirms ? { status: 200, body: { leaseSeconds: 20, cancel: null } } : { status: 503 };
    }
    if (path === '/runner/poll') {
      const messages = polled.splice(0);
      return messages.length === 0 ? undefined : { status: 200, body: { messages } };
    }
    if (path.endsWith('/logs')) {
      for (const chunk of body.chunks as readonly SentChunk[]) stored.set(chunk.chunkOffset, chunk);
      return { status: 200, body: { next: next() } };
    }
    if (path.endsWith('/complete')) report = body as unknown as Report;
    return { status: 200, body: {} };
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = await buffer(request);
    const path = request.url ?? '';
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    const isJson = request.headers['content-type'] === 'application/json';
    const body = (isJson ? JSON.parse(bytes.toString('utf8')) : { bytes }) as Json;
    const call = { path, body, token };
    plane.calls.push(call);
    const answer = plane.answer(call) ?? perform(path, body);
    look();
    // Kept open until there is something, or the test ends.
    if (answer === 'hang') return;
    if (answer === undefined) {
      held.push(response);
      return;
    }
    if (Buffer.isBuffer(answer.body)) response.writeHead(answer.status).end(answer.body);
    else
      response
        .writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers })
        .end(answer.body === undefined ? '' : JSON.stringify(answer.body));
  };
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => void handle(request, response));
  const upgrades = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (!plane.acceptsSockets || request.url !== '/runner/socket') return void socket.destroy();
    upgrades.handleUpgrade(request, socket, head, (opened) => {
      sockets.add(opened);
      opened.on('message', (bytes) => {
        const message = JSON.parse(String(bytes)) as Json;
        plane.messages.push(message);
        if (message.type === 'heartbeat') {
          plane.heartbeats.push(message);
          if (plane.confirms)
            opened.send(JSON.stringify({ type: 'heartbeat', jobId: message.job_id, leaseSeconds: 20, cancel: null }));
        }
        look();
      });
      opened.on('close', () => {
        sockets.delete(opened);
        look();
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const plane: ControlPlane = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    jobId,
    answer: () => undefined,
    confirms: true,
    acceptsSockets: true,
    calls: [],
    heartbeats: [],
    messages: [],
    chunks: () => [...stored.values()].sort((one, other) => one.chunkOffset - other.chunkOffset),
    log: () => plane.chunks().map(textOf).join(''),
    push: (message) => {
      const [socket] = sockets;
      if (socket !== undefined) return void socket.send(JSON.stringify(message));
      const poll = held.shift();
      if (poll === undefined) polled.push(message);
      else poll.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ messages: [message] }));
    },
    dropSockets: () => {
      for (const socket of sockets) socket.terminate();
    },
    report: () => report,
    until: (condition) =>
      new Promise((resolve) => {
        waiting.push({ condition, resolve });
        look();
      }),
    close: async () => {
      for (const socket of sockets) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return plane;
};

export const staleAnswer: Answering = ({ path }) => (path.includes('/jobs/') ? stale : undefined);
