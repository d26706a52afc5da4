/** Raw calls: replies and statuses as they came over the wire, trailers included. */
import { once } from 'node:events';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
  DeleteResp,
  ReadResp,
  TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb';
import type { Metadata, ServiceError } from '@grpc/grpc-js';
import { type ReadBy, readRequest } from './read-requests';
import {
  appendEvent,
  appendOptions,
  deleteRequest,
  type Expected,
  type Proposed,
  tombstoneRequest,
} from './stream-requests';

/** How a call failed. */
export interface Failed {
  readonly code: number;
  readonly details: string;
  /** The node's own: `exception` and what it names. */
  readonly trailers: Readonly<Record<string, string>>;
}

const transportKeys = new Set(['content-type', 'content-length', 'date', 'server', 'grpc-accept-encoding']);

const textOf = (metadata: Metadata): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata.getMap()).flatMap(([key, value]) => (transportKeys.has(key) ? [] : [[key, String(value)]])),
  );

export const failedOf = ({ code, details, metadata }: ServiceError): Failed => ({
  code,
  details,
  trailers: textOf(metadata),
});

/** A status on its own: no trailers of the node's. */
export const failure = (code: number, details: string, trailers: Readonly<Record<string, string>> = {}): Failed => ({
  code,
  details,
  trailers,
});

type Answer<Reply> = Promise<Reply | Failed>;

export const answered =
  <Reply>(resolve: (answer: Reply | Failed) => void) =>
  (error: ServiceError | null, reply: Reply): void =>
    resolve(error === null ? reply : failedOf(error));

/** Messages as given, to break the order as well. */
export const sendAppend = (client: StreamsClient, requests: readonly AppendReq[]): Answer<AppendResp> =>
  new Promise((resolve) => {
    const call = client.append(answered<AppendResp>(resolve));
    // The server may refuse before everything is sent.
    call.on('error', () => undefined);
    for (const request of requests) call.write(request);
    call.end();
  });

export interface AppendBy {
  readonly stream: string;
  readonly expected?: Expected;
  readonly events: readonly Proposed[];
}

export const append = (client: StreamsClient, { stream, expected = 'any', events }: AppendBy): Answer<AppendResp> =>
  sendAppend(client, [appendOptions(stream, expected), ...events.map(appendEvent)]);

export const softDelete = (client: StreamsClient, stream: string, expected: Expected = 'any'): Answer<DeleteResp> =>
  new Promise((resolve) => client.delete(deleteRequest(stream, expected), answered<DeleteResp>(resolve)));

export const tombstone = (client: StreamsClient, stream: string, expected: Expected = 'any'): Answer<TombstoneResp> =>
  new Promise((resolve) => client.tombstone(tombstoneRequest(stream, expected), answered<TombstoneResp>(resolve)));

export interface ReadAnswer {
  readonly replies: readonly ReadResp[];
  readonly failed: Failed | undefined;
}

export const read = async (client: StreamsClient, by: ReadBy): Promise<ReadAnswer> => {
  const replies: ReadResp[] = [];
  try {
    for await (const reply of client.read(readRequest(by))) replies.push(reply as ReadResp);
  } catch (error) {
    return { replies, failed: failedOf(error as ServiceError) };
  }
  return { replies, failed: undefined };
};

export interface Followed {
  /** The next reply; the failure when the call ended with one. */
  readonly next: () => Promise<ReadResp | Failed>;
  readonly cancel: () => void;
}

export const follow = (client: StreamsClient, by: ReadBy): Followed => {
  const call = client.read(readRequest(by));
  const replies = call[Symbol.asyncIterator]() as AsyncIterator<ReadResp>;
  // Cancelling is an error to grpc-js; no caller awaits it any more.
  call.on('error', () => undefined);
  return {
    next: () =>
      replies.next().then(
        ({ value }) => value as ReadResp,
        (error: ServiceError) => failedOf(error),
      ),
    cancel: () => call.cancel(),
  };
};

export interface BatchCall {
  readonly send: (request: BatchAppendReq) => void;
  readonly next: () => Promise<BatchAppendResp>;
  readonly end: () => Promise<void>;
}

export const openBatch = (client: StreamsClient): BatchCall => {
  const call = client.batchAppend();
  const replies = call[Symbol.asyncIterator]() as AsyncIterator<BatchAppendResp>;
  // The call may break while no caller awaits a reply.
  call.on('error', () => undefined);
  return {
    send: (request) => void call.write(request),
    next: async () => (await replies.next()).value as BatchAppendResp,
    end: async () => {
      const over = once(call, 'status');
      call.end();
      call.resume();
      await over;
    },
  };
};
