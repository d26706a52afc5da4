/** Many subscriptions over few connections, counting what they get without decoding it. */
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { ClientReadableStream } from '@grpc/grpc-js';
import type { NodeProcess } from '../../support/event-store-node';
import { connectTo } from './local-node';
import { type ReadBy, readRequest } from './read-request';

/** A server admits so many calls on one connection. */
export const mostCalls = 100;

/** First bytes of the replies: an event, and that all earlier ones were sent. */
const eventTag = 0x0a;
const caughtUpTag = 0x42;

export interface Crowd {
  /** What each got so far. */
  readonly counts: readonly number[];
  /** Resolves when each has got so many; rejects when a subscription ends. */
  readonly reach: (count: number) => Promise<void>;
  readonly close: () => void;
}

export interface CrowdBy {
  readonly size: number;
  readonly by: (index: number) => ReadBy;
  /** Called at every event with how many the subscriber has got. */
  readonly arrived?: (count: number) => void;
}

const path = '/event_store.client.streams.Streams/Read';

/** Resolves when all have caught up. */
export const gather = async (node: Pick<NodeProcess, 'port'>, { size, by, arrived }: CrowdBy): Promise<Crowd> => {
  const clients = Array.from({ length: Math.ceil(size / mostCalls) }, () => connectTo(node));
  const counts = new Array<number>(size).fill(0);
  let goal = 0;
  let waiting = 0;
  let settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  let closed = false;
  let failed: Error | undefined;
  const arrive = (index: number): void => {
    const count = (counts[index] ?? 0) + 1;
    counts[index] = count;
    arrived?.(count);
    if (count !== goal) return;
    waiting -= 1;
    if (waiting === 0) settle?.resolve();
  };
  const open = (index: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const client = clients[Math.floor(index / mostCalls)];
      const call = client?.makeServerStreamRequest<ReadReq, Buffer>(
        path,
        (request) => Buffer.from(request.serializeBinary()),
        (bytes) => bytes,
        readRequest(by(index)),
      ) as ClientReadableStream<Buffer>;
      call.on('data', (bytes: Buffer) => {
        if (bytes[0] === eventTag) arrive(index);
        else if (bytes[0] === caughtUpTag) resolve();
      });
      call.on('error', (error) => {
        if (closed) return;
        failed = error;
        reject(error);
        settle?.reject(error);
      });
    });
  await Promise.all(counts.map((_, index) => open(index)));
  return {
    counts,
    reach: (count) =>
      new Promise((resolve, reject) => {
        if (failed !== undefined) return reject(failed);
        goal = count;
        waiting = counts.filter((reached) => reached < count).length;
        settle = { resolve, reject };
        if (waiting === 0) resolve();
      }),
    close: () => {
      closed = true;
      for (const client of clients) client.close();
    },
  };
};
