/** A model service on loopback with a settable answer, which records its requests. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly [name: string]: unknown } | undefined;
  /** When the gateway has gone, or the answer is over. */
  readonly over: Promise<unknown>;
}

export type ModelResponder = (response: ServerResponse, request: ModelRequest) => void | Promise<void>;

export const sseEvent = (data: unknown): string =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
export const contentEvent = (content: string): string =>
  sseEvent({ id: 'c-1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] });
export const usageFields = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

export const startEventStream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });

/** An answer that reports its token usage. */
export const respondWithUsage =
  (usage: object, choices = 1): ModelResponder =>
  (response) => {
    const all = Array.from({ length: choices }, (_, index) => ({
      index,
      message: { role: 'assistant', content: 'Yes.' },
      finish_reason: 'stop',
    }));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'c-1', object: 'chat.completion', choices: all, usage }));
  };

export const respondWithError =
  (status: number, headers: Record<string, string> = {}): ModelResponder =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message: 'No.', type: 'test', code: 'no' } }));
  };

export const startFakeModels = async () => {
  const requests: ModelRequest[] = [];
  let answer: ModelResponder = respondWithUsage(usageFields(1, 1));
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const one = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: text === '' ? undefined : (JSON.parse(text) as ModelRequest['body']),
      over: once(response, 'close'),
    };
    requests.push(one);
    await answer(response, one);
  };
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    last: () => requests[requests.length - 1],
    answers: (next: ModelResponder) => {
      answer = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

export type FakeModels = Awaited<ReturnType<typeof startFakeModels>>;
