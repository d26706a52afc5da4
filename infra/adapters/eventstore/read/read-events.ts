/** Events of a Read as they arrive, read off their bytes. */
import type { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient, StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import type { ClientReadableStream } from '@grpc/grpc-js';
import { connectionOf } from '../../../../packages/eventstore-node/src/client';
import type { StoredEvent } from '../../../ports/event-store';
import { noEvent, type ReadReply, readReply } from './read-response';

type Replies = ClientReadableStream<ReadReply>;

/** They are bytes already. */
const serialize = (request: Buffer): Buffer => request;

const open = async (client: EventStoreDBClient, request: Buffer): Promise<Replies> => {
  const connection = connectionOf(client);
  const streams = await connection.getGRPCClient(StreamsClient, 'readAll');
  const [metadata, options] = connection.callArguments({}, { deadline: Number.POSITIVE_INFINITY });
  const { path } = StreamsService.read;
  const replies = streams.makeServerStreamRequest(path, serialize, readReply, request, metadata, options);
  // Also handles the end of a call whose reader has left.
  replies.on('error', (error) => void connection.handleError(streams, error));
  return replies;
};

interface Watch {
  failure: Error | undefined;
  isOver: boolean;
  wake: () => void;
}

const watched = (replies: Replies): Watch => {
  const watch: Watch = { failure: undefined, isOver: false, wake: () => undefined };
  replies.on('readable', () => watch.wake());
  replies.on('end', () => {
    watch.isOver = true;
    watch.wake();
  });
  replies.on('error', (error) => {
    watch.failure = error;
    watch.wake();
  });
  return watch;
};

const arrived = (replies: Replies): readonly StoredEvent[] => {
  const events: StoredEvent[] = [];
  for (;;) {
    const reply = replies.read() as ReadReply | null;
    if (reply === null) return events;
    if (reply !== noEvent) events.push(reply);
  }
};

/** Until something has come; a server that stands still ends nothing, so its silence is an end as well. */
const woken = (watch: Watch, silenceMilliseconds: number | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const silent = () => reject(new Error('The event store is silent.'));
    const timer = silenceMilliseconds === undefined ? undefined : setTimeout(silent, silenceMilliseconds);
    watch.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });

/** As many at a time as have arrived: an await for each of a million is felt. Throws when the server goes away. */
export async function* readEvents(
  client: EventStoreDBClient,
  request: Buffer,
  silenceMilliseconds?: number,
): AsyncGenerator<readonly StoredEvent[], void> {
  const replies = await open(client, request);
  const watch = watched(replies);
  try {
    for (;;) {
      const events = arrived(replies);
      if (events.length > 0) yield events;
      else if (watch.failure !== undefined) throw watch.failure;
      else if (watch.isOver) return;
      else await woken(watch, silenceMilliseconds);
    }
  } finally {
    // A read that is left early goes on at the server until it is cancelled.
    if (!watch.isOver) replies.cancel();
  }
}
