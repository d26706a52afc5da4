/** The event store port over the official client: EventStoreDB, a cluster of it, or the embedded node. */
import type { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient, StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import { isLeft, left, right } from 'fp-ts/Either';
import { connect, connectionOf, disconnect } from '../../../packages/eventstore-node/src/client';
import type { EventStore } from '../../ports/event-store';
import type { Log } from '../../ports/runtime/log';
import { type BatchAppender, createBatchAppender, type OpenedCall } from './append/batch-appender';
import { decodeBatchReply } from './append/batch-messages';
import { encodeProposedEvents } from './append/proposed-events';
import { isStreamMissing, unavailable } from './faults';
import { subscribeAll } from './read/catch-up-subscription';
import { readAll } from './read/read-all';
import { readHead } from './read/read-head';
import { readStream } from './read/read-stream';

export interface EventStoreOptions {
  /** `esdb://…`, the client's own connection string. */
  readonly url: string;
  readonly log?: Log;
  /** How long a read of a stream may receive nothing. Shorter than an append may take: a command may do one after the other. */
  readonly silenceMilliseconds?: number;
  /** A process that follows the log ends here when another log is found in its place; left out, subscriptions throw. */
  readonly replaced?: (detail: string) => void;
  /** Aborted when the process drains: calls that still look for a node fail. */
  readonly signal?: AbortSignal;
}

const ignore = (): void => undefined;
const quiet: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore, audit: ignore };
const answerMilliseconds = 10_000;

/** They are bytes already. */
const serialize = (request: Buffer): Buffer => request;

const openBatchCall = async (client: EventStoreDBClient): Promise<OpenedCall> => {
  const connection = connectionOf(client);
  const streams = await connection.getGRPCClient(StreamsClient, 'append');
  const [metadata, options] = connection.callArguments({}, { deadline: Number.POSITIVE_INFINITY });
  const { path } = StreamsService.batchAppend;
  const duplex = streams.makeBidiStreamRequest(path, serialize, decodeBatchReply, metadata, options);
  return { duplex, broke: (error) => void connection.handleError(streams, error) };
};

const append =
  (appender: BatchAppender): EventStore['append'] =>
  async (stream, expected, events) => {
    const proposed = encodeProposedEvents(events);
    return isLeft(proposed) ? proposed : appender.append({ stream, expected, events: proposed.right });
  };

const read =
  (client: EventStoreDBClient, silence: number): EventStore['read'] =>
  async (stream, from = 0) => {
    try {
      return right(await readStream(client, { stream, from }, silence));
    } catch (error) {
      return isStreamMissing(error) ? right([]) : left(unavailable());
    }
  };

const head =
  (client: EventStoreDBClient, silence: number): EventStore['head'] =>
  async () => {
    try {
      return right(await readHead(client, silence));
    } catch {
      return left(unavailable());
    }
  };

export const openEventStore = (options: EventStoreOptions): EventStore => {
  const { url, log = quiet, silenceMilliseconds = 8_000, signal, replaced = () => undefined } = options;
  const client = connect(url, signal);
  const appender = createBatchAppender(() => openBatchCall(client), answerMilliseconds);
  return {
    append: append(appender),
    read: read(client, silenceMilliseconds),
    head: head(client, silenceMilliseconds),
    readAll: (request) => readAll(client, request),
    subscribeAll: (request) => subscribeAll({ url, log, replaced }, request),
    close: () => {
      appender.close();
      return disconnect(client);
    },
  };
};
