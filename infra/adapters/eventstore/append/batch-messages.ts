/**
 * A BatchAppend request as its bytes: every append makes one, and the generated messages make a dozen objects of each event. Field
 * numbers: EventStoreDB's streams.proto and shared.proto.
 */

import { WrongExpectedVersion } from '@eventstore/db-client/generated/shared_pb';
import { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { status } from '@grpc/grpc-js';
import { type Either, left, right } from 'fp-ts/Either';
import { Timestamp } from 'google-protobuf/google/protobuf/timestamp_pb';
import type { Appended, EventStoreFault, Expected, WrongRevision } from '../../../ports/event-store';
import { ambiguous, refused, unavailable } from '../faults';
import {
  type Cursor,
  field,
  find,
  inside,
  nested,
  numberField,
  skip,
  textField,
  textIn,
  varint,
} from '../protobuf-fields';
import type { ProposedEvent } from './proposed-events';

export interface ProposedAppend {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly ProposedEvent[];
}

const uuidField = (tag: number, id: string): Buffer => field(tag, textField(0x12, id));
const entryField = (key: string, value: string): Buffer => nested(0x12, textField(0x0a, key), textField(0x12, value));
const isJson = entryField('content-type', 'application/json');

/**
 * The server compares it with its own clock, which may differ from ours by hours: a real moment would then have every append
 * refused. The client aborts slow appends itself; the server has its own limit.
 */
const noDeadline = field(0x32, Timestamp.fromDate(new Date('9999-12-31T23:59:59Z')).serializeBinary());

const noStream = Buffer.from([0x1a, 0]);
const any = Buffer.from([0x22, 0]);

const expectedField = (expected: Expected): Buffer => {
  if (expected === 'any') return any;
  if (expected === 'no-stream') return noStream;
  return numberField(0x10, expected);
};

const messageField = ({ id, type, data, metadata }: ProposedEvent): Buffer =>
  nested(0x1a, uuidField(0x0a, id), entryField('type', type), isJson, field(0x1a, metadata), field(0x22, data));

const isFinal = Buffer.from([0x20, 1]);

export const encodeBatchRequest = (correlationId: string, { stream, expected, events }: ProposedAppend): Buffer => {
  const options = nested(0x12, field(0x0a, textField(0x1a, stream)), expectedField(expected), noDeadline);
  return Buffer.concat([uuidField(0x0a, correlationId), options, ...events.map(messageField), isFinal]);
};

/** Decodes replies of BatchAppend. Successes, nearly all of them, are read directly from the bytes, which is faster. */

export type Outcome = Either<EventStoreFault | WrongRevision, Appended>;

const prefix = 'event_store.client.';

const failures: { readonly [type: string]: EventStoreFault } = {
  [`${prefix}StreamDeleted`]: refused('The stream is tombstoned.'),
  [`${prefix}MaximumAppendSizeExceeded`]: refused('The events are too large for one append.'),
  [`${prefix}BadRequest`]: refused('The event store does not accept these events.'),
  [`${prefix}AccessDenied`]: refused('The event store refused access.'),
  // EventStoreDB answers this while it is not ready.
  'google.protobuf.Empty': unavailable('The log is not ready.'),
};

const failureOf = (reply: BatchAppendResp): EventStoreFault | WrongRevision => {
  const error = reply.getError();
  const detail = error?.getDetails();
  const type = detail?.getTypeName() ?? '';
  if (detail !== undefined && type === `${prefix}WrongExpectedVersion`) {
    const wrong = WrongExpectedVersion.deserializeBinary(detail.getValue_asU8());
    const revision = wrong.hasCurrentStreamRevision() ? Number(wrong.getCurrentStreamRevision()) : null;
    return { kind: 'wrong-revision', revision };
  }
  if (Number(error?.getCode()) === status.UNAVAILABLE) return unavailable('The log takes no writes.');
  return failures[type] ?? ambiguous();
};

const outcomeOf = (reply: BatchAppendResp): Outcome => {
  const success = reply.getSuccess();
  const position = success?.getPosition();
  if (success === undefined || position === undefined) return left(failureOf(reply));
  return right({ revision: Number(success.getCurrentRevision()), position: BigInt(position.getCommitPosition()) });
};

/** Undefined when the reply has other fields. */
const appendedIn = (success: Cursor): Appended | undefined => {
  let revision = 0;
  let position: bigint | undefined;
  while (success.at < success.end) {
    const tag = Number(varint(success));
    if (tag === 0x08) revision = Number(varint(success));
    else if (tag === 0x1a) position = commitIn(inside(success));
    else skip(success, tag);
  }
  return position === undefined ? undefined : { revision, position };
};

const commitIn = (position: Cursor): bigint => {
  while (position.at < position.end) {
    const tag = Number(varint(position));
    if (tag === 0x08) return BigInt(varint(position));
    skip(position, tag);
  }
  return 0n;
};

export interface BatchReply {
  readonly correlationId: string;
  readonly outcome: Outcome;
}

export const decodeBatchReply = (bytes: Buffer): BatchReply => {
  const correlation = find({ bytes, at: 0, end: bytes.length }, 1);
  const success = find({ bytes, at: 0, end: bytes.length }, 3);
  const appended = success && appendedIn(success);
  const outcome = appended === undefined ? outcomeOf(BatchAppendResp.deserializeBinary(bytes)) : right(appended);
  return { correlationId: correlation === undefined ? '' : textIn(correlation, 2), outcome };
};
