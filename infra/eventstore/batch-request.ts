/**
 * A BatchAppend request as its bytes: every append makes one, and the generated messages make a dozen objects of each event. Field
 * numbers: EventStoreDB's streams.proto and shared.proto.
 */
import { Timestamp } from 'google-protobuf/google/protobuf/timestamp_pb';
import type { Expected } from '../ports/event-store';
import { field, nested, numberField, textField } from './fields';
import type { Proposed } from './proposed';

export interface Change {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly Proposed[];
}

const uuidField = (tag: number, id: string): Buffer => field(tag, textField(0x12, id));
const entryField = (key: string, value: string): Buffer => nested(0x12, textField(0x0a, key), textField(0x12, value));
const isJson = entryField('content-type', 'application/json');

/**
 * The server compares it with its own clock, which may differ from ours by hours: a real moment would then have every append
 * refused. What takes too long is given up on here; the server keeps to its own limit.
 */
const noDeadline = field(0x32, Timestamp.fromDate(new Date('9999-12-31T23:59:59Z')).serializeBinary());

const noStream = Buffer.from([0x1a, 0]);
const any = Buffer.from([0x22, 0]);

const expectedField = (expected: Expected): Buffer => {
  if (expected === 'any') return any;
  if (expected === 'no-stream') return noStream;
  return numberField(0x10, expected);
};

const messageField = ({ id, type, data, metadata }: Proposed): Buffer =>
  nested(0x1a, uuidField(0x0a, id), entryField('type', type), isJson, field(0x1a, metadata), field(0x22, data));

const isFinal = Buffer.from([0x20, 1]);

export const batchRequest = (correlationId: string, { stream, expected, events }: Change): Buffer => {
  const options = nested(0x12, field(0x0a, textField(0x1a, stream)), expectedField(expected), noDeadline);
  return Buffer.concat([uuidField(0x0a, correlationId), options, ...events.map(messageField), isFinal]);
};
