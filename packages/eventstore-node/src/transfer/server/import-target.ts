/** Imports events into a server: many appends at once over one call. */
import { type BatchAppendResp, TombstoneReq } from '@eventstore/db-client/generated/streams_pb';
import { type ServiceError, status } from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { noStream } from '../../storage/write-events';
import type { LoggedEvent } from '../format/event-line';
import { quoteStreamName, TransferError } from '../transfer-error';
import {
  type AppendRequest,
  type AppendResult,
  decodeAppendResult,
  encodeAppendRequest,
  encodeStreamIdentifier,
} from './append-messages';
import type { Server } from './connection';
import { type Edge, readEdge } from './read-events';

export interface Target {
  readonly append: (append: AppendRequest) => Promise<AppendResult>;
  /** Tombstones a stream. */
  readonly end: (stream: Buffer, expected: number | 'any') => Promise<AppendResult>;
  /** The last visible event of a stream. */
  readonly edge: (stream: Buffer, edge: Edge) => Promise<LoggedEvent | undefined>;
  readonly close: () => void;
}

interface PendingAppend {
  readonly append: AppendRequest;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: unknown) => void;
}

const correlationOf = (count: number): string => `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;

const settlePending = (pending: Map<string, PendingAppend>, reply: BatchAppendResp): void => {
  const id = reply.getCorrelationId()?.getString() ?? '';
  const found = pending.get(id);
  pending.delete(id);
  if (found === undefined) return;
  const result = decodeAppendResult(reply);
  if (typeof result === 'object') {
    found.resolve(result);
    return;
  }
  const { stream, events } = found.append;
  const what = `revision ${events[0]?.revision} of the stream ${quoteStreamName(stream)}`;
  found.reject(new TransferError(`The event store refuses ${what}: ${result}.`));
};

const openBatchAppends = async (server: Server): Promise<Pick<Target, 'append' | 'close'>> => {
  const duplex = (await server.streams()).batchAppend(...server.unlimited());
  const pending = new Map<string, PendingAppend>();
  let count = 0;
  let over: unknown;
  const fail = (error: unknown): void => {
    over ??= error;
    for (const { reject } of pending.values()) reject(over);
    pending.clear();
  };
  duplex.on('data', (reply: BatchAppendResp) => settlePending(pending, reply));
  duplex.on('error', fail);
  duplex.on('end', () => fail(new TransferError('The event store has ended the call.')));
  return {
    append: (append) =>
      new Promise((resolve, reject) => {
        if (over !== undefined) {
          reject(over);
          return;
        }
        count += 1;
        const id = correlationOf(count);
        pending.set(id, { append, resolve, reject });
        duplex.write(encodeAppendRequest(id, append));
      }),
    close: () => duplex.cancel(),
  };
};

const encodeTombstone = (stream: Buffer, expected: number | 'any'): TombstoneReq => {
  const options = new TombstoneReq.Options();
  options.setStreamIdentifier(encodeStreamIdentifier(stream));
  if (expected === 'any') options.setAny(new Empty());
  else if (expected === noStream) options.setNoStream(new Empty());
  else options.setRevision(String(expected));
  const request = new TombstoneReq();
  request.setOptions(options);
  return request;
};

const exceptionOf = ({ code, metadata }: ServiceError): unknown =>
  code === status.FAILED_PRECONDITION ? metadata.get('exception')[0] : undefined;

/** A tombstoned stream shows nothing. */
const ignoreTombstoned = (error: unknown): undefined => {
  if (exceptionOf(error as ServiceError) !== 'stream-deleted') throw error;
  return undefined;
};

/** A stream that is tombstoned already is as intended; an unexpected revision is for the caller. */
const decodeRefusal = (error: ServiceError): AppendResult | undefined => {
  const exception = exceptionOf(error);
  if (exception === 'stream-deleted') return { kind: 'stream-deleted' };
  if (exception !== 'wrong-expected-version') return undefined;
  return { kind: 'wrong-revision', revision: Number(error.metadata.get('actual-version')[0] ?? noStream) };
};

export const openTarget = async (server: Server): Promise<Target> => ({
  ...(await openBatchAppends(server)),
  edge: (stream, edge) => readEdge(server, stream, edge).catch(ignoreTombstoned),
  end: async (stream, expected) => {
    const streams = await server.streams();
    return new Promise((resolve, reject) => {
      streams.tombstone(encodeTombstone(stream, expected), ...server.brief(), (error: ServiceError | null) => {
        const result: AppendResult | undefined = error === null ? { kind: 'stream-deleted' } : decodeRefusal(error);
        if (result === undefined) reject(error);
        else resolve(result);
      });
    });
  },
});
