/** Checks chunks as a runner sends them: their text must have the declared length and checksum. */
import { hash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { limits } from '../../../domain/workflow/limits';
import type { LogChunk } from '../../../domain/workflow/protocol/runner';
import type { ReceivedChunk } from '../../../infra/ports/workflow/log-store';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { bytesOfChunk } from '../../../infra/server/workflow/chunk-text';
import { leaseProblems } from './problems';

/** For the runner's note in a log that is too large. */
const markBytes = 65_536;
const lineFeed = 0x0a;

const refuse = (code: 'chunk-damaged' | 'log-too-large', detail: string): Either<Problem, never> =>
  left(problemOf({ kind: 'rejection', code, detail }, leaseProblems));

const textOf = (encoding: LogChunk['encoding'], payload: Uint8Array): Uint8Array | undefined => {
  try {
    return bytesOfChunk({ encoding, payload }, limits.logChunkBytes);
  } catch {
    return undefined;
  }
};

const countLineFeeds = (text: Uint8Array): number => {
  let count = 0;
  for (let at = text.indexOf(lineFeed); at >= 0; at = text.indexOf(lineFeed, at + 1)) count += 1;
  return count;
};

const receiveChunk = ({ payload: base64, ...chunk }: LogChunk): Either<Problem, ReceivedChunk> => {
  const { chunkOffset, byteStart, byteEnd, checksum, encoding } = chunk;
  if (byteEnd > limits.logBytes + markBytes)
    return refuse('log-too-large', `The log of an attempt has at most ${limits.logBytes} bytes.`);
  const payload = Buffer.from(base64, 'base64');
  const text = textOf(encoding, payload);
  if (text === undefined || text.length > limits.logChunkBytes)
    return refuse('chunk-damaged', `Chunk ${chunkOffset} has no text of at most ${limits.logChunkBytes} bytes.`);
  if (text.length !== byteEnd - byteStart)
    return refuse('chunk-damaged', `Chunk ${chunkOffset} has ${text.length} bytes of text.`);
  if (`sha256:${hash('sha256', text, 'hex')}` !== checksum)
    return refuse('chunk-damaged', `The checksum of chunk ${chunkOffset} is another.`);
  return right({ ...chunk, payload, lineFeeds: countLineFeeds(text) });
};

export const receiveChunks = (chunks: readonly LogChunk[]): Either<Problem, readonly ReceivedChunk[]> => {
  const received: ReceivedChunk[] = [];
  for (const chunk of chunks) {
    const one = receiveChunk(chunk);
    if (isLeft(one)) return one;
    received.push(one.right);
  }
  return right(received);
};
