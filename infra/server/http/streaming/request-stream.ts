/**
 * The body of a request as a stream of its own, limited in size, without trailers. The request is read only as fast as the stream is; destroying
 * the stream leaves the client's connection open for an answer.
 */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** `client-idle` comes from the caller of `fail`, which watches the time. */
export type BodyFault = 'body-too-large' | 'trailers' | 'client-gone' | 'client-idle';

export interface RequestStreamOptions {
  readonly maxBytes: number;
  /** Called before the stream fails. */
  readonly failed: (fault: BodyFault) => void;
  /** Called for each chunk. */
  readonly received?: () => void;
}

export interface RequestStream {
  readonly stream: Readable;
  /** Whether more bytes of the client are awaited, rather than room for them. */
  readonly awaitsClient: () => boolean;
  /** Ends the stream with an error, unless it has ended. */
  readonly fail: (fault: BodyFault) => void;
}

/** Two reads of a socket. */
const bufferedBytes = 131_072;

export const openRequestStream = (request: IncomingMessage, options: RequestStreamOptions): RequestStream => {
  const { maxBytes, failed, received } = options;
  let size = 0;
  let isOver = false;
  const fail = (fault: BodyFault): void => {
    if (isOver) return;
    failed(fault);
    stream.destroy(new Error(fault));
  };
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= maxBytes) {
      received?.();
      if (!stream.push(chunk)) request.pause();
    } else fail('body-too-large');
  };
  const finish = (): void => {
    // Headers after the body would pass by every check that the headers before it went through.
    if (request.rawTrailers.length === 0) {
      isOver = true;
      stream.push(null);
    } else fail('trailers');
  };
  const close = (): void => {
    if (!request.complete) fail('client-gone');
  };
  const release = (): void => {
    isOver = true;
    request.off('data', take).off('end', finish).off('close', close).pause();
  };
  const stream = new Readable({
    highWaterMark: bufferedBytes,
    read: () => void request.resume(),
    destroy: (error, callback) => {
      release();
      callback(error);
    },
  });
  // The consumer may be gone already.
  stream.on('error', () => undefined);
  // A broken connection is noticed by the end that does not come.
  request.on('error', () => undefined);
  request.on('data', take).on('end', finish).on('close', close).pause();
  if (request.destroyed && !request.complete) fail('client-gone');
  return { stream, awaitsClient: () => !isOver && !request.isPaused(), fail };
};
