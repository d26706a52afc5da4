/** The messages of BatchAppend, and what its replies mean. */
import { StreamIdentifier, UUID, WrongExpectedVersion } from '@eventstore/db-client/generated/shared_pb';
import { BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { status } from '@grpc/grpc-js';
import { type Either, left, right } from 'fp-ts/Either';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { Timestamp } from 'google-protobuf/google/protobuf/timestamp_pb';
import type { Appended, EventStoreFault, Expected, WrongRevision } from '../ports/event-store';
import { ambiguous, refused, unavailable } from './faults';
import type { Proposed } from './proposed';

export interface Change {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly Proposed[];
}

export type Outcome = Either<EventStoreFault | WrongRevision, Appended>;

/**
 * The server compares it with its own clock, which may differ from ours by hours: a real moment would then have every append
 * refused. What takes too long is given up on here; the server keeps to its own limit.
 */
const noDeadline = Timestamp.fromDate(new Date('9999-12-31T23:59:59Z'));

const optionsOf = ({ stream, expected }: Change): BatchAppendReq.Options => {
  const options = new BatchAppendReq.Options();
  const identifier = new StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  options.setStreamIdentifier(identifier);
  options.setDeadline(noDeadline);
  if (expected === 'any') options.setAny(new Empty());
  else if (expected === 'no-stream') options.setNoStream(new Empty());
  else options.setStreamPosition(String(expected));
  return options;
};

const messageOf = ({ id, type, data, metadata }: Proposed): BatchAppendReq.ProposedMessage => {
  const message = new BatchAppendReq.ProposedMessage();
  const uuid = new UUID();
  uuid.setString(id);
  message.setId(uuid);
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  message.setData(data);
  message.setCustomMetadata(metadata);
  return message;
};

export const batchRequest = (correlation: UUID, change: Change): BatchAppendReq => {
  const request = new BatchAppendReq();
  request.setCorrelationId(correlation);
  request.setOptions(optionsOf(change));
  request.setProposedMessagesList(change.events.map(messageOf));
  request.setIsFinal(true);
  return request;
};

const prefix = 'event_store.client.';

const failures: { readonly [type: string]: EventStoreFault } = {
  [`${prefix}StreamDeleted`]: refused('The stream is closed for good.'),
  [`${prefix}MaximumAppendSizeExceeded`]: refused('The events are too large for one append.'),
  [`${prefix}BadRequest`]: refused('The event store does not accept these events.'),
  [`${prefix}AccessDenied`]: refused('The event store refused access.'),
  // So a real server says that it is not ready.
  'google.protobuf.Empty': unavailable('The event store is not ready.'),
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
  if (Number(error?.getCode()) === status.UNAVAILABLE) return unavailable('The event store takes no writes.');
  return failures[type] ?? ambiguous();
};

export const outcomeOf = (reply: BatchAppendResp): Outcome => {
  const success = reply.getSuccess();
  const position = success?.getPosition();
  if (success === undefined || position === undefined) return left(failureOf(reply));
  return right({ revision: Number(success.getCurrentRevision()), position: BigInt(position.getCommitPosition()) });
};
