/** Counts and hashes bodies while they stream, so that no body is in memory as a whole. */
import { createHash, type Hash } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';
import type { BlobBody } from '../../ports/blob-store';
import { BlobDamaged, BodyDiffers, callAborted } from './blob-faults';
import { refusal } from './limits';

export interface ExpectedBody {
  readonly body: BlobBody;
  readonly size: number;
  readonly sha256?: string;
  readonly signal?: AbortSignal;
}

export interface VerifiedBody {
  /** Throws `BodyDiffers` as soon as it is certain. */
  readonly chunks: AsyncIterable<Buffer>;
  /** In hexadecimal, once the chunks have ended. */
  readonly sha256: () => string;
}

const buffer = (chunk: Uint8Array): Buffer => Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);

const source = (body: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): AsyncIterable<Uint8Array> => {
  if (signal === undefined) return body;
  return addAbortSignal(signal, body instanceof Readable ? body : Readable.from(body));
};

const otherSize = () => new BodyDiffers(refusal('blob-size-differs', 'The size of the body is not the announced one.'));
const otherBytes = () =>
  new BodyDiffers(refusal('blob-checksum-differs', 'The body does not have the SHA-256 that was announced.'));

interface BodyCheck {
  readonly hash: Hash;
  found: string;
}

const sliceBytes = 256 * 1024;

/** Slices of a large body, so that the event loop runs other work between hashing them. */
function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}

/** Delays the last chunk until the source has ended and the checks passed: a store never gets a complete refused body. */
async function* checkChunks({ body, size, sha256, signal }: ExpectedBody, measure: BodyCheck): AsyncGenerator<Buffer> {
  let seen = 0;
  let delayed: Buffer | undefined;
  if (signal?.aborted) throw callAborted();
  for await (const chunk of body instanceof Uint8Array ? slices(body) : source(body, signal)) {
    // An empty chunk would release the delayed one.
    if (chunk.byteLength === 0) continue;
    seen += chunk.byteLength;
    if (seen > size) throw otherSize();
    measure.hash.update(chunk);
    if (delayed !== undefined) yield delayed;
    delayed = buffer(chunk);
  }
  if (seen !== size) throw otherSize();
  measure.found = measure.hash.digest('hex');
  if (sha256 !== undefined && sha256.toLowerCase() !== measure.found) throw otherBytes();
  if (delayed !== undefined) yield delayed;
}

export const verifyBody = (announced: ExpectedBody): VerifiedBody => {
  const state: BodyCheck = { hash: createHash('sha256'), found: '' };
  return { chunks: checkChunks(announced, state), sha256: () => state.found };
};

/** The same bytes in chunks of at least that many, the last one excepted. */
export async function* rechunk(chunks: AsyncIterable<Buffer>, atLeast: number): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    gathered.push(chunk);
    bytes += chunk.length;
    if (bytes < atLeast) continue;
    yield gathered.length === 1 ? chunk : Buffer.concat(gathered);
    [gathered, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(gathered);
}

/** The same chunks; ends with `BlobDamaged` when they are not what was stored. */
export async function* verifyDigest(chunks: AsyncIterable<Buffer>, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256) throw new BlobDamaged('The bytes are no longer those that were stored.');
}

export const readableOf = (chunks: AsyncIterable<Buffer>, signal?: AbortSignal): Readable => {
  const body = Readable.from(chunks, { objectMode: false });
  return signal === undefined ? body : addAbortSignal(signal, body);
};
