/** The sending side of a Read: waits whenever the client is not reading, and knows when it went away. */
import { once } from 'node:events';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { ServerWritableStream } from '@grpc/grpc-js';

/** Replies go out as bytes; the service definition's serializer passes them through. */
type ReadCall = ServerWritableStream<ReadReq, ReadResp>;

export interface Outgoing {
  readonly signal: AbortSignal;
  /** Resolves when there is room for more; at once when the client is gone. */
  readonly send: (replies: Iterable<Buffer>) => Promise<void>;
}

export const outgoing = (call: ReadCall): Outgoing => {
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
        room = call.write(reply as unknown as ReadResp);
      }
      if (!room && !gone.signal.aborted) await once(call, 'drain', { signal: gone.signal }).catch(() => undefined);
    },
  };
};
