/** One event as one line of JSON, and back. */
import { isUtf8 } from 'node:buffer';
import { type Either, left, right } from 'fp-ts/Either';
import { tombstoneRevision } from '../storage/record';
import { payloadField, payloadIn } from './payload';

export interface LoggedEvent {
  readonly stream: Buffer;
  /** `tombstoneRevision` for the event that ends a stream. */
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly json: boolean;
  /** ISO 8601, with the hundreds of nanoseconds that EventStoreDB keeps. */
  readonly created: string;
  readonly position: number;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

const int64Maximum = '9223372036854775807';
const contentTypes = { json: 'application/json', binary: 'application/octet-stream' } as const;

const nameField = (stream: Buffer): string =>
  isUtf8(stream)
    ? `"stream":${JSON.stringify(stream.toString('utf8'))}`
    : `"streamBase64":"${stream.toString('base64')}"`;

export const lineOf = (event: LoggedEvent): string => {
  const revision = event.revision === tombstoneRevision ? int64Maximum : event.revision;
  const contentType = event.json ? contentTypes.json : contentTypes.binary;
  const name = `${nameField(event.stream)},"revision":${revision},"id":"${event.id}","type":${JSON.stringify(event.type)}`;
  const place = `"contentType":"${contentType}","created":"${event.created}","position":${event.position}`;
  const data = payloadField('data', event.data, event.json);
  return `{${name},${place},${data},${payloadField('metadata', event.metadata, true)}}`;
};

type Fields = Readonly<Record<string, unknown>>;

const uuidShape = /^(?!0{8}-0{4}-0{4}-0{4}-0{12}$)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const instantShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,7})?Z$/;
const longestName = 16 * 1024 * 1024;

const natural = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** A tombstone's revision is more than JSON.parse can hold exactly. */
const revisionIn = ({ revision }: Fields): number | undefined => {
  if (natural(revision)) return revision;
  return typeof revision === 'number' && revision >= 2 ** 63 ? tombstoneRevision : undefined;
};

const streamIn = ({ stream, streamBase64 }: Fields): Buffer | undefined => {
  if (typeof stream === 'string' && streamBase64 === undefined) return Buffer.from(stream);
  return typeof streamBase64 === 'string' && stream === undefined ? Buffer.from(streamBase64, 'base64') : undefined;
};

const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && instantShape.test(value) && Date.parse(value) >= 0;

const decode = (fields: Fields): Either<string, LoggedEvent> => {
  const { id, type, contentType, created, position } = fields;
  const [stream, revision] = [streamIn(fields), revisionIn(fields)];
  const [data, metadata] = [payloadIn(fields, 'data'), payloadIn(fields, 'metadata')];
  if (stream === undefined || stream.length === 0 || stream.length > longestName) return left('stream');
  if (revision === undefined) return left('revision');
  if (typeof id !== 'string' || !uuidShape.test(id)) return left('id');
  if (typeof type !== 'string' || type === '') return left('type');
  if (typeof contentType !== 'string' || contentType === '') return left('contentType');
  if (!isInstant(created)) return left('created');
  if (!natural(position)) return left('position');
  if (data === undefined) return left('data');
  if (metadata === undefined) return left('metadata');
  const json = contentType === contentTypes.json;
  return right({ stream, revision, id, type, json, created, position, data, metadata });
};

/** Left says what the line is not. */
export const eventIn = (fields: Fields): Either<string, LoggedEvent> => {
  const event = decode(fields);
  return event._tag === 'Left' ? left(`the field ${event.left} is missing or not as it should be`) : event;
};
