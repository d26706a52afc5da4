/** Encodes the messages that append events to a server, and decodes the replies. */
import { StreamIdentifier, UUID, WrongExpectedVersion } from '@eventstore/db-client/generated/shared_pb';
import { BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { Timestamp } from 'google-protobuf/google/protobuf/timestamp_pb';
import { noStream } from '../../storage/write-events';
import type { LoggedEvent } from '../format/event-line';

export interface AppendRequest {
  readonly stream: Buffer;
  /** `noStream`: the stream must not exist. */
  readonly expected: number;
  readonly events: readonly LoggedEvent[];
}

export type AppendResult =
  /** Appended now or earlier; with the last event's revision. */
  | { readonly kind: 'appended'; readonly revision: number }
  /** The last revision there is; `noStream` when there is none. */
  | { readonly kind: 'wrong-revision'; readonly revision: number }
  | { readonly kind: 'stream-deleted' };

export const encodeStreamIdentifier = (stream: Buffer): StreamIdentifier => {
  const identifier = new StreamIdentifier();
  identifier.setStreamName(stream);
  return identifier;
};

const encodeEvent = ({ id, type, json, data, metadata }: LoggedEvent): BatchAppendReq.ProposedMessage => {
  const message = new BatchAppendReq.ProposedMessage();
  const uuid = new UUID();
  uuid.setString(id);
  message.setId(uuid);
  const contentType = json ? 'application/json' : 'application/octet-stream';
  message.getMetadataMap().set('type', type).set('content-type', contentType);
  message.setData(data);
  message.setCustomMetadata(metadata);
  return message;
};

/** The server compares it with its own clock, which may differ, and has its own limits. */
const noDeadline = Timestamp.fromDate(new Date('9999-12-31T23:59:59Z'));

const encodeOptions = ({ stream, expected }: AppendRequest): BatchAppendReq.Options => {
  const options = new BatchAppendReq.Options();
  options.setStreamIdentifier(encodeStreamIdentifier(stream));
  options.setDeadline(noDeadline);
  if (expected === noStream) options.setNoStream(new Empty());
  else options.setStreamPosition(String(expected));
  return options;
};

export const encodeAppendRequest = (correlation: string, append: AppendRequest): BatchAppendReq => {
  const request = new BatchAppendReq();
  const uuid = new UUID();
  uuid.setString(correlation);
  request.setCorrelationId(uuid);
  request.setOptions(encodeOptions(append));
  request.setProposedMessagesList(append.events.map(encodeEvent));
  request.setIsFinal(true);
  return request;
};

const typePrefix = 'event_store.client.';

/** The message when the server refuses for a reason other than the stream's revision. */
export const decodeAppendResult = (reply: BatchAppendResp): AppendResult | string => {
  const success = reply.getSuccess();
  if (success !== undefined)
    return { kind: 'appended', revision: success.hasNoStream() ? noStream : Number(success.getCurrentRevision()) };
  const error = reply.getError();
  const detail = error?.getDetails();
  const type = detail?.getTypeName() ?? '';
  if (type === `${typePrefix}StreamDeleted`) return { kind: 'stream-deleted' };
  if (detail === undefined || type !== `${typePrefix}WrongExpectedVersion`) return error?.getMessage() ?? 'no reason';
  const wrong = WrongExpectedVersion.deserializeBinary(detail.getValue_asU8());
  const revision = wrong.hasCurrentStreamRevision() ? Number(wrong.getCurrentStreamRevision()) : noStream;
  return { kind: 'wrong-revision', revision };
};
