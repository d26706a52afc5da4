/** A server that events are put into: many appends at once over one call. */
import { type BatchAppendResp, TombstoneReq } from '@eventstore/db-client/generated/streams_pb';
import { type ServiceError, status } from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { noStream } from '../storage/write';
import { type Answer, type Append, answerIn, identifierOf, requestOf } from './append-messages';
import { shown, TransferError } from './faults';
import type { LoggedEvent } from './line';
import { type Edge, edgeOf } from './read-call';
import type { Server } from './server';

export interface Target {
  readonly append: (append: Append) => Promise<Answer>;
  /** Ends a stream for good. */
  readonly end: (stream: Buffer, expected: number | 'any') => Promise<Answer>;
  /** Of what is to be seen of a stream. */
  readonly edge: (stream: Buffer, edge: Edge) => Promise<LoggedEvent | undefined>;
  readonly close: () => void;
}

interface Waiting {
  readonly append: Append;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

const correlationOf = (count: number): string => `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;

const settle = (waiting: Map<string, Waiting>, reply: BatchAppendResp): void => {
  const id = reply.getCorrelationId()?.getString() ?? '';
  const found = waiting.get(id);
  waiting.delete(id);
  if (found === undefined) return;
  const answer = answerIn(reply);
  if (typeof answer === 'object') {
    found.resolve(answer);
    return;
  }
  const { stream, events } = found.append;
  const what = `revision ${events[0]?.revision} of the stream ${shown(stream)}`;
  found.reject(new TransferError(`The event store refuses ${what}: ${answer}.`));
};

const openBatches = async (server: Server): Promise<Pick<Target, 'append' | 'close'>> => {
  const duplex = (await server.streams()).batchAppend(...server.unlimited());
  const waiting = new Map<string, Waiting>();
  let count = 0;
  let over: unknown;
  const fail = (error: unknown): void => {
    over ??= error;
    for (const { reject } of waiting.values()) reject(over);
    waiting.clear();
  };
  duplex.on('data', (reply: BatchAppendResp) => settle(waiting, reply));
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
        waiting.set(id, { append, resolve, reject });
        duplex.write(requestOf(id, append));
      }),
    close: () => duplex.cancel(),
  };
};

const tombstoneOf = (stream: Buffer, expected: number | 'any'): TombstoneReq => {
  const options = new TombstoneReq.Options();
  options.setStreamIdentifier(identifierOf(stream));
  if (expected === 'any') options.setAny(new Empty());
  else if (expected === noStream) options.setNoStream(new Empty());
  else options.setRevision(String(expected));
  const request = new TombstoneReq();
  request.setOptions(options);
  return request;
};

const exceptionOf = ({ code, metadata }: ServiceError): unknown =>
  code === status.FAILED_PRECONDITION ? metadata.get('exception')[0] : undefined;

/** Nothing is to be seen of an ended stream. */
const unlessEnded = (error: unknown): undefined => {
  if (exceptionOf(error as ServiceError) !== 'stream-deleted') throw error;
  return undefined;
};

/** An ended stream is what was wanted; another revision than the expected one is for the caller. */
const refusal = (error: ServiceError): Answer | undefined => {
  const exception = exceptionOf(error);
  if (exception === 'stream-deleted') return { kind: 'stream-deleted' };
  if (exception !== 'wrong-expected-version') return undefined;
  return { kind: 'wrong-revision', revision: Number(error.metadata.get('actual-version')[0] ?? noStream) };
};

export const openTarget = async (server: Server): Promise<Target> => ({
  ...(await openBatches(server)),
  edge: (stream, edge) => edgeOf(server, stream, edge).catch(unlessEnded),
  end: async (stream, expected) => {
    const streams = await server.streams();
    return new Promise((resolve, reject) => {
      streams.tombstone(tombstoneOf(stream, expected), ...server.brief(), (error: ServiceError | null) => {
        const answer: Answer | undefined = error === null ? { kind: 'stream-deleted' } : refusal(error);
        if (answer === undefined) reject(error);
        else resolve(answer);
      });
    });
  },
});
