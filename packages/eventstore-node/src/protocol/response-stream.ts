/** Sends the replies of a streaming call: waits while the client is not reading, and notices when it is gone. */
import { once } from 'node:events';
import type { ServerWritableStream } from '@grpc/grpc-js';

export interface ResponseStream {
  readonly signal: AbortSignal;
  /** Resolves when there is room for more; at once when the client is gone. */
  readonly send: (replies: Iterable<Buffer>) => Promise<void>;
}

/** Replies are bytes; the serializer of the service definition passes them through. */
export const createResponseStream = <Request, Reply>(call: ServerWritableStream<Request, Reply>): ResponseStream => {
  const gone = new AbortController();
  const leave = () => gone.abort();
  call.once('cancelled', leave);
  call.once('close', leave);
  call.once('error', leave);
  return {
    signal: gone.signal,
    send: async (replies) => {
      let room = true;
      for (const reply of replies) {
        if (gone.signal.aborted) return;
        room = call.write(reply as unknown as Reply);
      }
      if (!room && !gone.signal.aborted) await once(call, 'drain', { signal: gone.signal }).catch(() => undefined);
    },
  };
};
