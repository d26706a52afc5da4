/** A signed download: conditions and ranges of RFC 9110, and headers that keep a blob from acting in our name. */
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { isLeft } from 'fp-ts/Either';
import type { BlobContent, BlobInfo, BlobStore, GetBlob } from '../../../../ports/blob-store';
import type { Log } from '../../../../ports/runtime/log';
import { noneMatches } from '../../../../server/http/routing/etag';
import { sendProblem } from '../../../../server/http/routing/send-answer';
import { parseRange } from '../../../../server/http/streaming/byte-range';
import type { GetClaims } from '../signed-urls';
import { problemOfBlob } from './problems';

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly claims: GetClaims;
}

interface Deps {
  readonly blobs: BlobStore;
  readonly log: Log;
}

/** Strong comparison, as If-Match and If-Range require. */
const matches = (field: string, etag: string): boolean =>
  field.trim() === '*' || [...field.matchAll(/(?:W\/)?"[^"]*"/g)].some(([tag]) => tag === etag);

const rangeOf = ({ headers, method }: Request, etag: string): Pick<GetBlob, 'range'> => {
  const range = method === 'GET' ? parseRange(headers.range) : undefined;
  const ifRange = headers['if-range'] as string | undefined;
  return range === undefined || (ifRange !== undefined && ifRange.trim() !== etag) ? {} : { range };
};

/** The uploader chose bytes and type, so browsers must run no script or form of it, and give it no origin. */
const guarded = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; frame-ancestors 'self'; sandbox",
  'Referrer-Policy': 'no-referrer',
} as const;

const headersOf = (info: BlobInfo, claims: GetClaims): Record<string, string> => ({
  ...guarded,
  'Accept-Ranges': 'bytes',
  'Cache-Control': 'private, no-cache',
  'Content-Type': claims.contentType ?? info.contentType,
  ...(claims.contentDisposition === undefined ? {} : { 'Content-Disposition': claims.contentDisposition }),
  ETag: info.etag,
  'Last-Modified': new Date(info.storedAt).toUTCString(),
});

const send = async (
  { body, ...content }: BlobContent,
  { response, claims }: Exchange,
  isPart: boolean,
): Promise<void> => {
  const { info, first, length } = content;
  const part = isPart ? { 'Content-Range': `bytes ${first}-${first + length - 1}/${info.size}` } : {};
  response.writeHead(isPart ? 206 : 200, { ...headersOf(info, claims), ...part, 'Content-Length': length });
  await pipeline(body, response);
};

const unsatisfiable = (info: BlobInfo, { response }: Exchange): void => {
  const refused = problemOfBlob({ code: 'blob-range-unsatisfiable', detail: 'The blob has no bytes in this range.' });
  sendProblem(response, { ...refused, headers: { 'Content-Range': `bytes */${info.size}` } });
};

/** True when the answer needs no body. */
const answered = (info: BlobInfo, { request, response, claims }: Exchange): boolean => {
  const { headers, method } = request;
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch !== undefined && !matches(ifMatch, info.etag)) {
    sendProblem(response, problemOfBlob({ code: 'blob-differs', detail: 'The blob is another one by now.' }));
    return true;
  }
  const unchanged = !noneMatches(ifNoneMatch, info.etag);
  if (!unchanged && method !== 'HEAD') return false;
  const length = unchanged ? {} : { 'Content-Length': info.size };
  response.writeHead(unchanged ? 304 : 200, { ...headersOf(info, claims), ...length }).end();
  return true;
};

export const readLocal = async ({ blobs, log }: Deps, exchange: Exchange): Promise<void> => {
  const { request, response, claims } = exchange;
  const info = await blobs.head(claims.key);
  if (isLeft(info)) return sendProblem(response, problemOfBlob(info.left));
  if (answered(info.right, exchange)) return;
  const { etag } = info.right;
  const wanted = rangeOf(request, etag);
  const content = await blobs.get({ key: claims.key, etag, ...wanted });
  if (isLeft(content)) {
    if (content.left.code === 'blob-range-unsatisfiable') return unsatisfiable(info.right, exchange);
    return sendProblem(response, problemOfBlob(content.left));
  }
  try {
    await send(content.right, exchange, wanted.range !== undefined);
  } catch (error) {
    // The client went away, or the bytes are damaged: either way the connection is cut before the announced length.
    const { code } = error as NodeJS.ErrnoException;
    const write = code === 'ERR_STREAM_PREMATURE_CLOSE' ? log.debug : log.warn;
    write({ code, key: claims.key }, 'a download ended early');
    response.destroy();
  }
};
