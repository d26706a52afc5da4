/** Sends bytes no faster than the client takes them, whole or a range of them (RFC 9110, sections 13 and 14). */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Problem, problem } from '../problem';
import { noneMatches } from '../routing/etag';
import type { ByteAnswer, ByteStream } from '../routing/route';
import { isSeveralRanges, parseRange, type Span, spanOf } from './byte-range';

/** Resolves when the bytes are handed to the socket, or the client is gone. Rejects when the source fails or breaks its word. */
const pump = (source: Readable, response: ServerResponse, length: number | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    let sent = 0;
    const fail = (error: Error): void => {
      source.destroy();
      reject(error);
    };
    source.on('data', (chunk: Uint8Array) => {
      sent += chunk.length;
      if (length !== undefined && sent > length) fail(new Error('the source has more bytes than its length'));
      else if (!response.write(chunk)) source.pause();
    });
    source.once('end', () => {
      if (length === undefined || sent === length) resolve();
      else fail(new Error('the source has fewer bytes than its length'));
    });
    source.once('error', fail);
    source.once('close', () => fail(new Error('the source closed before its end')));
    response.on('drain', () => void source.resume());
    const gone = (): void => {
      resolve();
      source.destroy();
    };
    if (response.destroyed) gone();
    else response.once('close', gone);
  });

const readable = (stream: ByteStream): Readable =>
  stream instanceof Readable ? stream : Readable.from(stream, { objectMode: false });

interface Selection {
  /** Undefined: everything. */
  readonly span: Span | undefined;
}

const notSatisfiable = (detail: string, size: number): Problem => ({
  ...problem('range-not-satisfiable', detail),
  headers: { 'Content-Range': `bytes */${size}` },
});

/** Strong comparison (section 13.1.5). A date never matches: the whole is answered. */
const isSame = (ifRange: string | undefined, etag: string | undefined): boolean =>
  ifRange === undefined || (etag !== undefined && !etag.startsWith('W/') && ifRange.trim() === etag);

const selectionOf = ({ req }: ServerResponse, answer: ByteAnswer): Either<Problem, Selection> => {
  const { range: field, 'if-range': ifRange } = req.headers;
  const whole = right({ span: undefined });
  if (!('openRange' in answer) || req.method !== 'GET' || !isSame(ifRange as string | undefined, answer.etag))
    return whole;
  const { size } = answer;
  if (isSeveralRanges(field)) return left(notSatisfiable('Ask for one range.', size));
  const range = parseRange(field);
  if (range === undefined) return whole;
  const span = spanOf(range, size);
  return span === undefined ? left(notSatisfiable(`There are ${size} bytes.`, size)) : right({ span });
};

const open = (answer: ByteAnswer, span: Span | undefined): Promise<Either<Problem, ByteStream>> =>
  'openRange' in answer ? answer.openRange(span ?? { first: 0, length: answer.size }) : answer.open();

const headersOf = (answer: ByteAnswer): Record<string, string> => ({
  'Content-Type': answer.contentType,
  'Cache-Control': answer.etag === undefined ? 'no-store' : 'private, no-cache',
  ...(answer.etag === undefined ? {} : { ETag: answer.etag }),
  ...('openRange' in answer ? { 'Accept-Ranges': 'bytes' } : {}),
  ...answer.headers,
});

const lengthOf = (answer: ByteAnswer): number | undefined => ('openRange' in answer ? answer.size : answer.length);

const partHeaders = ({ first, length }: Span, size: number | undefined): Record<string, string> => ({
  'Content-Range': `bytes ${first}-${first + length - 1}/${size}`,
});

/** A problem where the answer cannot begin; otherwise the caller ends the response. */
export const sendBytes = async (response: ServerResponse, answer: ByteAnswer): Promise<Problem | undefined> => {
  const { method, headers: requested } = response.req;
  const headers = headersOf(answer);
  const size = lengthOf(answer);
  const reads = method === 'GET' || method === 'HEAD';
  if (reads && !noneMatches(requested['if-none-match'], answer.etag)) {
    response.writeHead(304, headers);
    return undefined;
  }
  const selection = selectionOf(response, answer);
  if (isLeft(selection)) return selection.left;
  const { span } = selection.right;
  const length = span?.length ?? size;
  const announced = length === undefined ? {} : { 'Content-Length': String(length) };
  if (method === 'HEAD') {
    response.writeHead(200, { ...headers, ...announced });
    return undefined;
  }
  const opened = await open(answer, span);
  if (isLeft(opened)) return opened.left;
  const part = span === undefined ? {} : partHeaders(span, size);
  response.writeHead(span === undefined ? 200 : 206, { ...headers, ...announced, ...part });
  // The client may wait for the answer before it sends more of its body.
  response.flushHeaders();
  await pump(readable(opened.right), response, length);
  return undefined;
};
