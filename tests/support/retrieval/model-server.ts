/** A model service for tests: it speaks as OpenAI's and Anthropic's do, and behaves as each test wants. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: {
    readonly model: string;
    readonly system?: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  };
}

export type ModelBehaviour = (response: ServerResponse, request: ModelRequest) => void;

const begin = (response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
const event = (response: ServerResponse, data: object): void =>
  void response.write(`data: ${JSON.stringify(data)}\n\n`);

const isOpenAi = ({ path }: ModelRequest): boolean => path.endsWith('/chat/completions');

const sendText = (response: ServerResponse, request: ModelRequest, text: string): void => {
  if (isOpenAi(request)) event(response, { choices: [{ delta: { content: text }, finish_reason: null }] });
  else event(response, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
};

/** The whole answer, in pieces. */
export const writes =
  (...pieces: readonly string[]): ModelBehaviour =>
  (response, request) => {
    begin(response);
    for (const piece of pieces) sendText(response, request, piece);
    if (isOpenAi(request)) {
      event(response, { choices: [{ delta: {}, finish_reason: 'stop' }] });
      response.end('data: [DONE]\n\n');
    } else {
      event(response, { type: 'message_delta', delta: { stop_reason: 'end_turn' } });
      event(response, { type: 'message_stop' });
      response.end();
    }
  };

/** The connection breaks behind these pieces. */
export const breaksOff =
  (...pieces: readonly string[]): ModelBehaviour =>
  (response, request) => {
    begin(response);
    for (const piece of pieces) sendText(response, request, piece);
    setImmediate(() => response.destroy());
  };

/** It ends as if it were whole, without the end that the protocol has. */
export const endsEarly =
  (...pieces: readonly string[]): ModelBehaviour =>
  (response, request) => {
    begin(response);
    for (const piece of pieces) sendText(response, request, piece);
    response.end();
  };

/** It sends these pieces and then nothing. */
export const hangs =
  (...pieces: readonly string[]): ModelBehaviour =>
  (response, request) => {
    begin(response);
    response.flushHeaders();
    for (const piece of pieces) sendText(response, request, piece);
  };

export const fails =
  (status: number, headers: Readonly<Record<string, string>> = {}): ModelBehaviour =>
  (response, { body }) =>
    void response.writeHead(status, headers).end(JSON.stringify({ error: { message: JSON.stringify(body) } }));

export const refuses: ModelBehaviour = (response, request) => {
  begin(response);
  if (isOpenAi(request)) event(response, { choices: [{ delta: { refusal: 'I will not.' }, finish_reason: 'stop' }] });
  else event(response, { type: 'message_delta', delta: { stop_reason: 'refusal' } });
  response.end();
};

/** Many times what any answer has. */
export const floods =
  (bytes: number): ModelBehaviour =>
  (response, request) => {
    begin(response);
    let sent = 0;
    const text = 'word '.repeat(10_000);
    const send = (): void => {
      while (sent < bytes && !response.destroyed) {
        sent += text.length;
        if (!response.write(`data: ${JSON.stringify({ type: 'ping', choices: [], text })}\n\n`)) {
          response.once('drain', send);
          return;
        }
      }
      if (!response.destroyed) writes('The notice period is three months [1].')(response, request);
    };
    send();
  };

export const startModelServer = async () => {
  const requests: ModelRequest[] = [];
  /** For each request in turn; the last one again. */
  let behaviours: readonly ModelBehaviour[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const received = { path: request.url ?? '', headers: request.headers, body: body as ModelRequest['body'] };
      requests.push(received);
      const [next, ...rest] = behaviours;
      if (rest.length > 0) behaviours = rest;
      next?.(response, received);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    behave: (...next: readonly ModelBehaviour[]): void => {
      behaviours = next;
      requests.length = 0;
    },
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
};

export type ModelServer = Awaited<ReturnType<typeof startModelServer>>;
