/** A signed upload: of exactly the announced length and type, read as fast as the disk takes it. */
import type { Request, Response } from 'express';
import { type Either, isLeft } from 'fp-ts/Either';
import type { BlobStore } from '../../../../ports/blob-store';
import { type Problem, problem } from '../../../../server/http/problem';
import { rejectUnreadRequest } from '../../../../server/http/server/lingering-close';
import type { PutClaims } from '../signed-urls';
import { problemOfBlob } from './problems';

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly claims: PutClaims;
}

const refusalOf = ({ headers }: Request, { size, contentType }: PutClaims): Problem | undefined => {
  // A length in advance is what bounds the body; chunked bodies have none.
  if (headers['content-length'] === undefined)
    return { problem: { ...problem('invalid-input', 'Send a Content-Length.').problem, status: 411 } };
  if (Number(headers['content-length']) !== size)
    return problemOfBlob({ code: 'blob-size-differs', detail: 'The URL was signed for another size of body.' });
  if (contentType !== undefined && headers['content-type'] !== contentType)
    return problem('forbidden', 'The URL was signed for another Content-Type.');
  if (headers['content-encoding'] !== undefined)
    return problem('unsupported-media-type', 'Send the body uncompressed, without a Content-Encoding.');
  return undefined;
};

type Stored = Either<Parameters<typeof problemOfBlob>[0], { readonly etag: string }>;

const store = (blobs: BlobStore, { request, claims }: Exchange): Promise<Stored> => {
  const { key, size, sha256, contentType = 'application/octet-stream', uploadId, part, absent } = claims;
  // Refusing must leave the connection standing, so that the refusal can be sent on it.
  const body = request.iterator({ destroyOnReturn: false });
  const measured = { body, size, ...(sha256 === undefined ? {} : { sha256 }) };
  if (uploadId !== undefined && part !== undefined)
    return blobs.putPart({ ...measured, upload: { key, uploadId }, part });
  return blobs.put({ ...measured, key, contentType, ...(absent === true ? { expected: 'absent' } : {}) });
};

export const writeLocal = async (blobs: BlobStore, exchange: Exchange): Promise<void> => {
  const { request, response, claims } = exchange;
  const refused = refusalOf(request, claims);
  if (refused !== undefined) return rejectUnreadRequest(response, refused);
  const stored = await store(blobs, exchange);
  if (response.destroyed) return;
  if (isLeft(stored)) return rejectUnreadRequest(response, problemOfBlob(stored.left));
  response.writeHead(200, { ETag: stored.right.etag, 'Content-Length': 0 }).end();
};
