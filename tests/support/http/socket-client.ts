/** A WebSocket client for tests: messages one after another, the handshake's refusal, the close. */
import { once } from 'node:events';
import { WebSocket } from 'ws';

export interface Message {
  readonly type: string;
  readonly subscription?: string;
  readonly id?: string;
  readonly event?: string;
  readonly data?: { readonly [field: string]: unknown };
  readonly problem?: { readonly code: string; readonly status: number };
  readonly expires_at?: string;
}

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

export interface SocketClient {
  readonly socket: WebSocket;
  readonly sendJson: (message: unknown) => void;
  /** Rejects when the socket closes before one comes. */
  readonly next: () => Promise<Message>;
  readonly closed: Promise<Closed>;
}

export interface Opening {
  readonly protocols?: readonly string[];
  readonly headers?: Record<string, string>;
}

const inbox = (socket: WebSocket, closed: Promise<Closed>) => {
  const messages: Message[] = [];
  let wake: () => void = () => undefined;
  socket.on('message', (bytes: Buffer) => {
    messages.push(JSON.parse(bytes.toString()) as Message);
    wake();
  });
  let over: Closed | undefined;
  void closed.then((how) => {
    over = how;
    wake();
  });
  return async (): Promise<Message> => {
    while (messages.length === 0) {
      if (over !== undefined) throw new Error(`closed with ${over.code} ${over.reason}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return messages.shift() as Message;
  };
};

const open = (url: string, { protocols = ['septet.streams.v1'], headers = {} }: Opening): WebSocket =>
  new WebSocket(url, [...protocols], { headers, perMessageDeflate: false });

export const openSocketClient = async (url: string, opening: Opening = {}): Promise<SocketClient> => {
  const socket = open(url, opening);
  const closed = new Promise<Closed>((resolve) =>
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  const next = inbox(socket, closed);
  await once(socket, 'open');
  socket.on('error', () => undefined);
  return { socket, sendJson: (message) => socket.send(JSON.stringify(message)), next, closed };
};

/** The status and problem code that a handshake is refused with. */
/** The answer to a handshake that is refused. */
export const refusalOfSocket = (url: string, opening: Opening = {}): Promise<Response> =>
  new Promise((resolve, reject) => {
    const socket = open(url, opening);
    socket.once('open', () => reject(new Error('the socket was opened')));
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      const { statusCode: status = 0, headers } = response;
      response.on('end', () => resolve(new Response(text, { status, headers: headers as Record<string, string> })));
    });
  });

/** Its status, and the code of the problem that it is. */
export const refusedSocket = async (url: string, opening: Opening = {}): Promise<readonly [number, string]> => {
  const answer = await refusalOfSocket(url, opening);
  return [answer.status, ((await answer.json()) as { code: string }).code];
};
