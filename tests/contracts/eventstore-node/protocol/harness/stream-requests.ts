/** Requests of EventStoreDB's streams protocol, built field by field: what the official client would never send as well. */
import { randomUUID } from 'node:crypto';
import { Empty, StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import { AppendReq, BatchAppendReq, DeleteReq, TombstoneReq } from '@eventstore/db-client/generated/streams_pb';
import { Empty as WellKnownEmpty } from 'google-protobuf/google/protobuf/empty_pb';
import { Timestamp } from 'google-protobuf/google/protobuf/timestamp_pb';

/** `unset` leaves the oneof out. */
export type Expected = 'any' | 'no_stream' | 'stream_exists' | 'unset' | number | bigint;

export interface Proposed {
  readonly id: string;
  readonly type?: string;
  readonly contentType?: string;
  readonly data: Uint8Array;
  readonly metadata?: Uint8Array;
  /** More keys of the metadata map. */
  readonly extra?: Readonly<Record<string, string>>;
}

export const proposed = (fields: Partial<Proposed> = {}): Proposed => ({
  id: randomUUID(),
  type: 'Proposed',
  contentType: 'application/json',
  data: Buffer.from('{"a":1}'),
  ...fields,
});

export const several = (count: number): readonly Proposed[] => Array.from({ length: count }, () => proposed());

/** Another stream at every call, so that a shared server serves as well. */
export const freshStream = (name: string): string => `protocol.${name}-${randomUUID()}`;

export const identifierOf = (stream: string): StreamIdentifier => {
  const identifier = new StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  return identifier;
};

export const textId = (id: string): UUID => {
  const uuid = new UUID();
  uuid.setString(id);
  return uuid;
};

export const structuredId = (id: string): UUID => {
  const hex = id.replaceAll('-', '');
  const structured = new UUID.Structured();
  structured.setMostSignificantBits(BigInt.asIntN(64, BigInt(`0x${hex.slice(0, 16)}`)).toString());
  structured.setLeastSignificantBits(BigInt.asIntN(64, BigInt(`0x${hex.slice(16)}`)).toString());
  const uuid = new UUID();
  uuid.setStructured(structured);
  return uuid;
};

const fill = <Message extends AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage>(
  message: Message,
  { id, type, contentType, data, metadata, extra }: Proposed,
): Message => {
  message.setId(textId(id));
  const map = message.getMetadataMap();
  if (type !== undefined) map.set('type', type);
  if (contentType !== undefined) map.set('content-type', contentType);
  for (const [key, value] of Object.entries(extra ?? {})) map.set(key, value);
  message.setData(data);
  if (metadata !== undefined) message.setCustomMetadata(metadata);
  return message;
};

interface RevisionOptions {
  setAny(value: Empty): unknown;
  setNoStream(value: Empty): unknown;
  setStreamExists(value: Empty): unknown;
  setRevision(value: string): unknown;
}

const expect = <Options extends RevisionOptions>(options: Options, expected: Expected): Options => {
  if (expected === 'any') options.setAny(new Empty());
  else if (expected === 'no_stream') options.setNoStream(new Empty());
  else if (expected === 'stream_exists') options.setStreamExists(new Empty());
  else if (expected !== 'unset') options.setRevision(String(expected));
  return options;
};

export const appendOptions = (stream: string, expected: Expected): AppendReq => {
  const options = expect(new AppendReq.Options(), expected);
  options.setStreamIdentifier(identifierOf(stream));
  return new AppendReq().setOptions(options);
};

export const appendEvent = (event: Proposed): AppendReq =>
  new AppendReq().setProposedMessage(fill(new AppendReq.ProposedMessage(), event));

export const deleteRequest = (stream: string, expected: Expected): DeleteReq => {
  const options = expect(new DeleteReq.Options(), expected);
  options.setStreamIdentifier(identifierOf(stream));
  return new DeleteReq().setOptions(options);
};

export const tombstoneRequest = (stream: string, expected: Expected): TombstoneReq => {
  const options = expect(new TombstoneReq.Options(), expected);
  options.setStreamIdentifier(identifierOf(stream));
  return new TombstoneReq().setOptions(options);
};

export interface BatchPart {
  readonly correlationId: UUID;
  readonly events?: readonly Proposed[];
  readonly final?: boolean;
  /** In the first part only. */
  readonly target?: { readonly stream: string; readonly expected: Expected; readonly deadline?: Date };
}

const batchOptions = ({ stream, expected, deadline }: NonNullable<BatchPart['target']>): BatchAppendReq.Options => {
  const options = new BatchAppendReq.Options();
  options.setStreamIdentifier(identifierOf(stream));
  if (expected === 'any') options.setAny(new WellKnownEmpty());
  else if (expected === 'no_stream') options.setNoStream(new WellKnownEmpty());
  else if (expected === 'stream_exists') options.setStreamExists(new WellKnownEmpty());
  else if (expected !== 'unset') options.setStreamPosition(String(expected));
  if (deadline !== undefined) options.setDeadline(Timestamp.fromDate(deadline));
  return options;
};

export const batchRequest = ({ correlationId, events = [], final = true, target }: BatchPart): BatchAppendReq => {
  const request = new BatchAppendReq().setCorrelationId(correlationId).setIsFinal(final);
  if (target !== undefined) request.setOptions(batchOptions(target));
  request.setProposedMessagesList(events.map((event) => fill(new BatchAppendReq.ProposedMessage(), event)));
  return request;
};
