/**
 * Serves the signed URLs of a directory. The path is a token with all claims; no key is ever read from a path. Mount it where
 * bodies are not parsed, on a listener whose request timeout exempts these routes.
 */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { isLeft } from 'fp-ts/Either';
import type { BlobStore } from '../../../../ports/blob-store';
import type { Log } from '../../../../ports/runtime/log';
import { problem } from '../../../../server/http/problem';
import { sendProblem } from '../../../../server/http/routing/send-answer';
import { rejectUnreadRequest } from '../../../../server/http/server/lingering-close';
import { type Claims, readToken } from '../signed-urls';
import { readLocal } from './download';
import { writeLocal } from './upload';

export interface BlobRoutesOptions {
  readonly blobs: BlobStore;
  /** That the URLs were signed with. */
  readonly secret: string;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** A connection whose client moves nothing for that long is cut. */
  readonly idleMilliseconds?: number;
}

const allowed = { GET: 'GET, HEAD', PUT: 'PUT' } as const;

const wrongMethod = (response: Response, method: Claims['method']): void =>
  rejectUnreadRequest(response, {
    ...problem('method-not-allowed', `Use ${allowed[method]}.`),
    headers: { Allow: allowed[method] },
  });

/** Bytes per millisecond: an upload that is slower on average is cut. */
const slowestUpload = 16;

/** The rest of the request is to come, or the client has to take what was sent; otherwise the store is at work. */
const awaitsClient = (response: Response): boolean => !response.req.complete || response.writableLength > 0;

/** Cuts connections on which the client moves no byte: they occupy a connection and a file. */
const cutWhenStill = (response: Response, claims: Claims, milliseconds: number): void => {
  const { socket } = response.req;
  const cut = (): void => void socket.destroy();
  const cutOrWait = (): void => {
    if (awaitsClient(response)) cut();
    else socket.setTimeout(milliseconds);
  };
  const longest = 'size' in claims ? milliseconds + claims.size / slowestUpload : undefined;
  const deadline = longest === undefined ? undefined : setTimeout(() => !response.req.complete && cut(), longest);
  // A listener of the response: without one Node would close the connection itself.
  response.setTimeout(milliseconds, cutOrWait);
  // From then on the server's own time for idle connections holds again.
  response.once('close', () => clearTimeout(deadline));
};

const serve = async (options: BlobRoutesOptions, request: Request, response: Response): Promise<void> => {
  const { secret, now = Date.now, idleMilliseconds = 60_000 } = options;
  // Anything beside the path is not signed, so it is not taken for part of a signed URL either.
  const token = request.url.slice(1);
  const claims = readToken(secret, token, now());
  if (isLeft(claims)) {
    const detail = claims.left === 'expired' ? 'This URL has expired.' : 'This URL was not signed by this store.';
    return rejectUnreadRequest(response, problem('forbidden', detail));
  }
  const { method } = claims.right;
  if (request.method !== method && !(request.method === 'HEAD' && method === 'GET'))
    return wrongMethod(response, method);
  cutWhenStill(response, claims.right, idleMilliseconds);
  if (claims.right.method === 'PUT') return writeLocal(options.blobs, { request, response, claims: claims.right });
  return readLocal(options, { request, response, claims: claims.right });
};

const handler =
  (options: BlobRoutesOptions): RequestHandler =>
  async (request, response) => {
    try {
      await serve(options, request, response);
    } catch (error) {
      // The token is a credential: neither it nor the path that holds it is logged.
      options.log.error({ error, method: request.method }, 'defect in a blob route');
      if (response.headersSent) response.destroy();
      else sendProblem(response, problem('internal-error', 'The request could not be completed.'));
    }
  };

export const localBlobRoutes = (options: BlobRoutesOptions): Router =>
  Router({ caseSensitive: true, strict: true }).use(handler(options));
