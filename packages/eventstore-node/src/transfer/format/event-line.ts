/** Encodes one event as one line of JSON, and decodes it. */
import { isUtf8 } from 'node:buffer';
import { type Either, left, right } from 'fp-ts/Either';
import { tombstoneRevision } from '../../storage/records/record-format';

export interface LoggedEvent {
  readonly stream: Buffer;
  /** `tombstoneRevision` for the event that ends a stream. */
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly json: boolean;
  /** ISO 8601, with EventStoreDB's precision of 100 nanoseconds. */
  readonly created: string;
  readonly position: number;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

const int64Maximum = '9223372036854775807';
const contentTypes = { json: 'application/json', binary: 'application/octet-stream' } as const;

const encodeStreamField = (stream: Buffer): string =>
  isUtf8(stream)
    ? `"stream":${JSON.stringify(stream.toString('utf8'))}`
    : `"streamBase64":"${stream.toString('base64')}"`;

export const encodeEventLine = (event: LoggedEvent): string => {
  const revision = event.revision === tombstoneRevision ? int64Maximum : event.revision;
  const contentType = event.json ? contentTypes.json : contentTypes.binary;
  const name = `${encodeStreamField(event.stream)},"revision":${revision},"id":"${event.id}","type":${JSON.stringify(event.type)}`;
  const place = `"contentType":"${contentType}","created":"${event.created}","position":${event.position}`;
  const data = encodePayloadField('data', event.data, event.json);
  return `{${name},${place},${data},${encodePayloadField('metadata', event.metadata, true)}}`;
};

type Fields = Readonly<Record<string, unknown>>;

const uuidShape = /^(?!0{8}-0{4}-0{4}-0{4}-0{12}$)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const instantShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,7})?Z$/;
const maxNameBytes = 16 * 1024 * 1024;

const isNatural = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** A tombstone's revision is larger than JSON.parse can represent exactly. */
const decodeRevision = ({ revision }: Fields): number | undefined => {
  if (isNatural(revision)) return revision;
  return typeof revision === 'number' && revision >= 2 ** 63 ? tombstoneRevision : undefined;
};

const decodeStream = ({ stream, streamBase64 }: Fields): Buffer | undefined => {
  if (typeof stream === 'string' && streamBase64 === undefined) return Buffer.from(stream);
  return typeof streamBase64 === 'string' && stream === undefined ? Buffer.from(streamBase64, 'base64') : undefined;
};

const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && instantShape.test(value) && Date.parse(value) >= 0;

const decode = (fields: Fields): Either<string, LoggedEvent> => {
  const { id, type, contentType, created, position } = fields;
  const [stream, revision] = [decodeStream(fields), decodeRevision(fields)];
  const [data, metadata] = [decodePayloadField(fields, 'data'), decodePayloadField(fields, 'metadata')];
  if (stream === undefined || stream.length === 0 || stream.length > maxNameBytes) return left('stream');
  if (revision === undefined) return left('revision');
  if (typeof id !== 'string' || !uuidShape.test(id)) return left('id');
  if (typeof type !== 'string' || type === '') return left('type');
  if (typeof contentType !== 'string' || contentType === '') return left('contentType');
  if (!isInstant(created)) return left('created');
  if (!isNatural(position)) return left('position');
  if (data === undefined) return left('data');
  if (metadata === undefined) return left('metadata');
  const json = contentType === contentTypes.json;
  return right({ stream, revision, id, type, json, created, position, data, metadata });
};

/** Left: what is wrong with the line. */
export const decodeEventLine = (fields: Fields): Either<string, LoggedEvent> => {
  const event = decode(fields);
  return event._tag === 'Left' ? left(`the field ${event.left} is missing or not as it should be`) : event;
};

/** JSON.stringify recurses: deeper text might be written here and refused where it is read. */
const maxDepth = 500;

const isShallow = (text: string): boolean => {
  if (text.length <= maxDepth) return true;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Brackets within strings count as well, which costs readability, never bytes.
    if (code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x5d || code === 0x7d) depth -= 1;
    if (depth > maxDepth) return false;
  }
  return true;
};

const isFaithful = (text: string): boolean => {
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false;
  }
};

/** The JSON text, if the bytes are exactly what JSON.stringify would write. */
const exactJsonText = (bytes: Buffer): string | undefined => {
  if (bytes.length === 0 || !isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8');
  return isShallow(text) && isFaithful(text) ? text : undefined;
};

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A field of a line: `"name":…` or `"nameBase64":"…"`. */
const encodePayloadField = (name: string, bytes: Uint8Array, mayBeJson: boolean): string => {
  const buffer = asBuffer(bytes);
  const text = mayBeJson ? exactJsonText(buffer) : undefined;
  return text === undefined ? `"${name}Base64":"${buffer.toString('base64')}"` : `"${name}":${text}`;
};

const base64Shape = /^[A-Za-z0-9+/]*={0,2}$/;

/** Undefined when it is nested too deeply for the stack. */
const encodeJson = (value: unknown): Buffer | undefined => {
  try {
    return Buffer.from(JSON.stringify(value));
  } catch {
    return undefined;
  }
};

/** Undefined when neither or both fields exist, or one is invalid. */
const decodePayloadField = (line: Readonly<Record<string, unknown>>, name: string): Buffer | undefined => {
  const encoded = line[`${name}Base64`];
  if (Object.hasOwn(line, name)) return encoded === undefined ? encodeJson(line[name]) : undefined;
  if (typeof encoded !== 'string' || encoded.length % 4 !== 0 || !base64Shape.test(encoded)) return undefined;
  return Buffer.from(encoded, 'base64');
};
