/** Many subscriptions over few connections, counting what they get without decoding it. */
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import { connectTo } from '../../contracts/eventstore-node/protocol/harness/local-node';
import { type ReadBy, readRequest } from '../../contracts/eventstore-node/protocol/harness/read-requests';
import type { NodeProcess } from '../../support/servers/event-store-node';

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

/** Counts arrivals, and knows when everybody has had so many. */
const createTally = (size: number) => {
  const counts = new Array<number>(size).fill(0);
  let goal = 0;
  let short = 0;
  let waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  let broken: Error | undefined;
  return {
    counts,
    arrive: (index: number): number => {
      const count = (counts[index] ?? 0) + 1;
      counts[index] = count;
      if (count === goal) short -= 1;
      if (short === 0) waiting?.resolve();
      return count;
    },
    fail: (error: Error): void => {
      broken = error;
      waiting?.reject(error);
    },
    reach: (count: number): Promise<void> =>
      new Promise((resolve, reject) => {
        if (broken !== undefined) return reject(broken);
        goal = count;
        short = counts.filter((reached) => reached < count).length;
        waiting = { resolve, reject };
        if (short === 0) resolve();
      }),
  };
};

interface Hears {
  readonly event: () => void;
  readonly caughtUp: () => void;
  readonly ended: (error: Error) => void;
}

const subscribe = (client: StreamsClient, by: ReadBy, hears: Hears): void => {
  const serialize = (request: ReadReq): Buffer => Buffer.from(request.serializeBinary());
  const call = client.makeServerStreamRequest(path, serialize, (bytes) => bytes, readRequest(by));
  call.on('data', (bytes: Buffer) => {
    if (bytes[0] === eventTag) hears.event();
    else if (bytes[0] === caughtUpTag) hears.caughtUp();
  });
  call.on('error', hears.ended);
};

/** Resolves when all have caught up. */
export const gather = async (node: Pick<NodeProcess, 'port'>, { size, by, arrived }: CrowdBy): Promise<Crowd> => {
  const clients = Array.from({ length: Math.ceil(size / mostCalls) }, () => connectTo(node));
  const { counts, arrive, fail, reach } = createTally(size);
  const onEvent = arrived ?? (() => undefined);
  let closed = false;
  const join = (index: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const ended = (error: Error): void => {
        if (closed) return;
        reject(error);
        fail(error);
      };
      const client = clients[Math.floor(index / mostCalls)] as StreamsClient;
      subscribe(client, by(index), { event: () => onEvent(arrive(index)), caughtUp: resolve, ended });
    });
  await Promise.all(counts.map((_, index) => join(index)));
  const close = (): void => {
    closed = true;
    for (const client of clients) client.close();
  };
  return { counts, reach, close };
};
