/** Puts answers on the wire: JSON, problem details and event streams. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Problem } from '../problem';
import { endUnread } from '../server/lingering-close';
import { sendBytes } from '../streaming/send-bytes';
import { type StreamOptions, sendStream } from '../streaming/sse';
import { noneMatches } from './etag';
import type { Answer, ByteAnswer, JsonAnswer, PageAnswer } from './route';

type Headers = { readonly [name: string]: string | readonly string[] };

interface Content {
  readonly status: number;
  readonly headers: Headers;
  readonly text?: string;
}

/** A connection that closes ends only once its client could see the answer. */
const end = (response: ServerResponse, bytes?: Buffer): void => {
  if (response.getHeader('Connection') === 'close') endUnread(response, bytes);
  else response.end(bytes);
};

const send = (response: ServerResponse, { status, headers, text }: Content): void => {
  if (text === undefined) {
    response.writeHead(status, headers as OutgoingHttpHeaders);
    end(response);
    return;
  }
  const bytes = Buffer.from(text);
  response.writeHead(status, { ...(headers as OutgoingHttpHeaders), 'Content-Length': bytes.length });
  end(response, response.req.method === 'HEAD' ? undefined : bytes);
};

export const sendProblem = (response: ServerResponse, { problem, headers }: Problem): void =>
  send(response, {
    status: problem.status,
    headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', ...headers },
    text: JSON.stringify(problem),
  });

const etagOf = (headers: NonNullable<JsonAnswer['headers']>): string | undefined =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'etag')?.[1];

const sendJson = (response: ServerResponse, { status, body, headers = {} }: JsonAnswer): void => {
  const etag = etagOf(headers);
  const { method, headers: requestHeaders } = response.req;
  // Answers belong to one caller and change at any time: a cached one must be revalidated.
  const cache = { 'Cache-Control': etag === undefined ? 'no-store' : 'private, no-cache' };
  const reads = method === 'GET' || method === 'HEAD';
  const unchanged = reads && status === 200 && !noneMatches(requestHeaders['if-none-match'], etag);
  if (unchanged || body === undefined)
    send(response, { status: unchanged ? 304 : status, headers: { ...cache, ...headers } });
  else {
    const type = { 'Content-Type': 'application/json' };
    send(response, { status, headers: { ...type, ...cache, ...headers }, text: JSON.stringify(body) });
  }
};

/** Personal answers are not cached. */
const sendPage = (response: ServerResponse, { status, page, headers, cookies = [] }: PageAnswer): void => {
  const type: Headers = page === undefined ? {} : { 'Content-Type': 'text/html; charset=utf-8' };
  const set: Headers = cookies.length === 0 ? {} : { 'Set-Cookie': cookies };
  const all = { ...type, 'Cache-Control': 'no-store', ...headers, ...set };
  send(response, page === undefined ? { status, headers: all } : { status, headers: all, text: page });
};

const sendByteAnswer = async (response: ServerResponse, answer: ByteAnswer): Promise<void> => {
  const refused = await sendBytes(response, answer);
  if (refused === undefined) end(response);
  else sendProblem(response, refused);
};

/** Resolves when the answer is handed to the socket; for a stream, when it has ended. */
export const sendAnswer = async (response: ServerResponse, answer: Answer, options: StreamOptions): Promise<void> => {
  if (response.destroyed) return;
  if ('problem' in answer) return sendProblem(response, answer);
  if ('page' in answer) return sendPage(response, answer);
  if ('contentType' in answer) return sendByteAnswer(response, answer);
  if (!('stream' in answer)) return sendJson(response, answer);
  if (response.req.method !== 'HEAD') return sendStream(response, answer, options);
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' }).end();
};
