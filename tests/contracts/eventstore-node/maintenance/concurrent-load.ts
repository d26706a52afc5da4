/** Clients that append to streams of which everything must stay, and to others of which most may go. */
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { append, softDelete, tombstone } from '../protocol/harness/raw-calls';
import { isFailed } from '../protocol/harness/replies';
import { proposed, several } from '../protocol/harness/stream-requests';

/** Acknowledged writes: the last revision of each stream, the ids of events that must stay. */
export interface AcknowledgedWrites {
  readonly retained: Map<string, string[]>;
  readonly capped: Map<string, number>;
  /** Failed appends: they may be there or not. */
  readonly unknown: Set<string>;
}

export const noAcknowledgedWrites = (): AcknowledgedWrites => ({
  retained: new Map(),
  capped: new Map(),
  unknown: new Set(),
});

export const streamCap = 5;

interface Worker {
  readonly client: StreamsClient;
  readonly name: string;
  readonly writes: AcknowledgedWrites;
  turn: number;
}

/** Answers false when the node is gone. */
type Work = (worker: Worker) => Promise<boolean>;

const setCap = async (client: StreamsClient, stream: string): Promise<boolean> => {
  const events = [proposed({ type: '$metadata', data: Buffer.from(`{"$maxCount":${streamCap}}`) })];
  return !isFailed(await append(client, { stream: `$$${stream}`, events }));
};

const appendRetained: Work = async ({ client, name, writes, turn }) => {
  const stream = `kept-${name}-${turn % 3}`;
  const events = several(1 + (turn % 4));
  const ids = events.map(({ id }) => id);
  const answer = await append(client, { stream, events });
  if (isFailed(answer)) {
    for (const id of ids) writes.unknown.add(id);
    return false;
  }
  writes.retained.set(stream, [...(writes.retained.get(stream) ?? []), ...ids]);
  return true;
};

const appendCapped: Work = async ({ client, name, writes, turn }) => {
  const stream = `capped-${name}-${turn % 5}`;
  if (!writes.capped.has(stream) && !(await setCap(client, stream))) return false;
  const answer = await append(client, { stream, events: several(8) });
  if (isFailed(answer)) return false;
  writes.capped.set(stream, Number(answer.getSuccess()?.getCurrentRevision()));
  return true;
};

const writeAndDelete: Work = async ({ client, name, turn }) => {
  const stream = `gone-${name}-${turn}`;
  if (isFailed(await append(client, { stream, events: several(6) }))) return false;
  const remove = turn % 2 === 0 ? softDelete : tombstone;
  return !isFailed(await remove(client, stream));
};

const works: readonly Work[] = [appendRetained, appendCapped, appendCapped, writeAndDelete, setCapAgain];

async function setCapAgain({ client, name }: Worker): Promise<boolean> {
  return setCap(client, `capped-${name}-0`);
}

/** Until `goesOn` is false, or the node is gone. */
export const appendUntilStopped = async (
  client: StreamsClient,
  name: string,
  writes: AcknowledgedWrites,
  goesOn: () => boolean,
): Promise<void> => {
  const worker: Worker = { client, name, writes, turn: 0 };
  while (goesOn()) {
    const next = works[worker.turn % works.length];
    if (next === undefined || !(await next(worker))) return;
    worker.turn += 1;
  }
};
