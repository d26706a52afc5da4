/** The log from a position on, filtered where it is kept, and decoded once. */
import type { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient, StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { ClientReadableStream } from '@grpc/grpc-js';
import type { ReadAll, StoredEvent } from '../ports/event-store';
import { connectionOf } from './connection';
import { passes } from './filter';
import { nothing, type ReadReply, readReply } from './read-reply';
import { readRequest } from './read-request';

type Replies = ClientReadableStream<ReadReply>;

const serialize = (request: ReadReq): Buffer => Buffer.from(request.serializeBinary());

const open = async (client: EventStoreDBClient, request: ReadReq): Promise<Replies> => {
  const connection = connectionOf(client);
  const streams = await connection.getGRPCClient(StreamsClient, 'readAll');
  const [metadata, options] = connection.callArguments({}, { deadline: Number.POSITIVE_INFINITY });
  const { path } = StreamsService.read;
  const replies = streams.makeServerStreamRequest(path, serialize, readReply, request, metadata, options);
  // Also hears the end of a call that nobody reads any more.
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
    if (reply !== nothing) events.push(reply);
  }
};

/** As many at a time as have arrived: an await for each of a million is felt. Throws when the server goes away. */
async function* arrivals(client: EventStoreDBClient, request: ReadReq): AsyncGenerator<readonly StoredEvent[], void> {
  const replies = await open(client, request);
  const watch = watched(replies);
  try {
    for (;;) {
      const events = arrived(replies);
      if (events.length > 0) yield events;
      else if (watch.failure !== undefined) throw watch.failure;
      else if (watch.isOver) return;
      else
        await new Promise<void>((resolve) => {
          watch.wake = resolve;
        });
    }
  } finally {
    // A read that is left early goes on at the server until it is cancelled.
    replies.cancel();
  }
}

export async function* readAll(client: EventStoreDBClient, request: ReadAll): AsyncGenerator<StoredEvent, void> {
  const { filter, limit = Number.MAX_SAFE_INTEGER } = request;
  let { after } = request;
  // What a server makes of a filter without prefixes is its own affair.
  let left = filter?.streams?.length === 0 || filter?.types?.length === 0 ? 0 : limit;
  while (left > 0) {
    // Forwards, the event at the position itself comes again.
    const count = Math.min(left + 1, Number.MAX_SAFE_INTEGER);
    let seen = 0;
    const before = after;
    for await (const events of arrivals(client, readRequest({ ...request, after }, count)))
      for (const event of events) {
        seen += 1;
        after = event.position;
        if (event.position === before || !passes(event, filter)) continue;
        yield event;
        left -= 1;
        if (left === 0) return;
      }
    // Of those that match there, some may not match here.
    if (seen < count) return;
  }
}
