/** A mixed load of appends, remembering what was acknowledged; it ends where the node does. */
import { randomUUID } from 'node:crypto';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { batchOf } from './batch-calls';
import { append, openBatch } from './calls';
import { type Expected, type Proposed, several, textId } from './messages';
import { appended, isFailed } from './replies';

export interface Sent {
  readonly stream: string;
  readonly events: readonly Proposed[];
  /** Position of its last event; undefined when no answer came. */
  position: bigint | undefined;
}

export interface Journal {
  readonly sent: Sent[];
  /** Called at every acknowledgement with how many there were. */
  readonly acknowledged: (count: number) => void;
  count: number;
}

interface Worker {
  /** Undefined once the node is gone. */
  readonly write: (stream: string, expected: Expected, events: readonly Proposed[]) => Promise<bigint | undefined>;
  /** The only writer of this stream, so that it knows the revision. */
  readonly own: string;
  last: number;
}

const overAppend =
  (client: StreamsClient): Worker['write'] =>
  async (stream, expected, events) => {
    const answer = await append(client, { stream, expected, events });
    return isFailed(answer) ? undefined : appended(answer).position;
  };

const overBatch = (client: StreamsClient): Worker['write'] => {
  const call = openBatch(client);
  return async (stream, expected, events) => {
    call.send(batchOf(stream, expected, { events, correlationId: textId(randomUUID()) }));
    const reply = await call.next().catch(() => undefined);
    const position = reply?.getSuccess()?.getPosition()?.getCommitPosition();
    return position === undefined ? undefined : BigInt(position);
  };
};

const upTo = (limit: number): number => Math.floor(Math.random() * limit);

const work = async (journal: Journal, worker: Worker): Promise<void> => {
  for (;;) {
    const onOwn = Math.random() < 0.5;
    const sent: Sent = {
      stream: onOwn ? worker.own : `shared-${upTo(5)}`,
      events: several(1 + upTo(10)),
      position: undefined,
    };
    journal.sent.push(sent);
    const expected = worker.last < 0 ? 'no_stream' : worker.last;
    sent.position = await worker.write(sent.stream, onOwn ? expected : 'any', sent.events);
    if (sent.position === undefined) return;
    if (onOwn) worker.last += sent.events.length;
    journal.count += 1;
    journal.acknowledged(journal.count);
  }
};

/** Ends when every worker has met the end of the node. */
export const loadUntilGone = async (clients: readonly StreamsClient[], journal: Journal): Promise<void> => {
  const workers = clients.flatMap((client) =>
    [overAppend(client), overBatch(client), overBatch(client)].map((write) => ({
      write,
      own: `own-${randomUUID()}`,
      last: -1,
    })),
  );
  await Promise.all(workers.map((worker) => work(journal, worker)));
};
