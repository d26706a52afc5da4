/** Protobuf codec of the service's messages. Unknown fields are skipped, as the format requires. */
import { BinaryReader, BinaryWriter } from 'google-protobuf';
import {
  type Descriptor,
  type DescriptorEntry,
  type DescriptorStatus,
  type Header,
  type LimitOverride,
  maxSizes,
  type RateLimitRequest,
  type RateLimitResponse,
} from './messages';

type FieldReaders<A> = { readonly [number: number]: (reader: BinaryReader, value: A) => A };

const readFields = <A>(reader: BinaryReader, fields: FieldReaders<A>, empty: A): A => {
  let value = empty;
  while (reader.nextField() && !reader.isEndGroup()) {
    const read = fields[reader.getFieldNumber()];
    if (read === undefined) reader.skipField();
    else value = read(reader, value);
  }
  return value;
};

const readNested = <A>(reader: BinaryReader, fields: FieldReaders<A>, empty: A): A => {
  let found = empty;
  reader.readMessage(empty, () => {
    found = readFields(reader, fields, empty);
  });
  return found;
};

interface ListReader<A> {
  readonly fields: FieldReaders<A>;
  readonly empty: A;
  /** One item more is decoded, so that validation sees the excess; the rest is skipped to save time. */
  readonly max: number;
}

const readItem = <A>(
  reader: BinaryReader,
  value: readonly A[],
  { fields, empty, max }: ListReader<A>,
): readonly A[] => {
  if (value.length <= max) return [...value, readNested(reader, fields, empty)];
  reader.skipField();
  return value;
};

const entryFields: FieldReaders<DescriptorEntry> = {
  1: (reader, value) => ({ ...value, key: reader.readString() }),
  2: (reader, value) => ({ ...value, value: reader.readString() }),
};

/** `google.protobuf.UInt64Value` and `UInt32Value`. */
const valueFields: FieldReaders<number> = { 1: (reader) => Number(reader.readUint64String()) };

const entries: ListReader<DescriptorEntry> = {
  fields: entryFields,
  empty: { key: '', value: '' },
  max: maxSizes.entries,
};

const limitFields: FieldReaders<LimitOverride> = {
  1: (reader, value) => ({ ...value, requestsPerUnit: reader.readUint32() }),
  2: (reader, value) => ({ ...value, unit: reader.readEnum() }),
  3: (reader, value) => ({ ...value, multiplier: readNested(reader, valueFields, 0) }),
};

const descriptorFields: FieldReaders<Descriptor> = {
  1: (reader, value) => ({ ...value, entries: readItem(reader, value.entries, entries) }),
  2: (reader, value) => ({ ...value, limit: readNested(reader, limitFields, noLimit) }),
  3: (reader, value) => ({ ...value, hits: readNested(reader, valueFields, 0) }),
  4: (reader, value) => ({ ...value, isNegative: reader.readBool() }),
};

const noLimit: LimitOverride = { requestsPerUnit: 0, unit: 0, multiplier: 1 };
const noDescriptor: Descriptor = { entries: [], isNegative: false };

const descriptors: ListReader<Descriptor> = {
  fields: descriptorFields,
  empty: noDescriptor,
  max: maxSizes.descriptors,
};

const requestFields: FieldReaders<RateLimitRequest> = {
  1: (reader, value) => ({ ...value, domain: reader.readString() }),
  2: (reader, value) => ({ ...value, descriptors: readItem(reader, value.descriptors, descriptors) }),
  3: (reader, value) => ({ ...value, hits: reader.readUint32() }),
};

/** Throws on malformed bytes. */
export const decodeRequest = (bytes: Uint8Array): RateLimitRequest =>
  readFields(new BinaryReader(bytes), requestFields, { domain: '', descriptors: [], hits: 0 });

const maxUint32 = 2 ** 32 - 1;
const toUint32 = (count: number): number => Math.min(Math.max(0, count), maxUint32);

/** `google.protobuf.UInt32Value`. */
const writeValue = (value: number, writer: BinaryWriter): void => writer.writeUint32(1, toUint32(value));

const writeLimit = (limit: NonNullable<DescriptorStatus['limit']>, writer: BinaryWriter): void => {
  writer.writeUint32(1, toUint32(limit.requestsPerUnit));
  writer.writeEnum(2, limit.period.unit);
  writer.writeString(3, limit.name);
  if (limit.period.multiplier > 1) writer.writeMessage(4, limit.period.multiplier, writeValue);
};

/** `google.protobuf.Duration`. */
const writeDuration = (seconds: number, writer: BinaryWriter): void => writer.writeInt64(1, seconds);

const writeStatus = ({ code, limit }: DescriptorStatus, writer: BinaryWriter): void => {
  writer.writeEnum(1, code);
  if (limit === undefined) return;
  writer.writeMessage(2, limit, writeLimit);
  writer.writeUint32(3, toUint32(limit.remaining));
  writer.writeMessage(4, limit.resetSeconds, writeDuration);
};

/** `envoy.config.core.v3.HeaderValue`. */
const writeHeader = ({ name, value }: Header, writer: BinaryWriter): void => {
  writer.writeString(1, name);
  writer.writeString(2, value);
};

export const encodeResponse = (response: RateLimitResponse): Buffer => {
  const writer = new BinaryWriter();
  writer.writeEnum(1, response.code);
  for (const status of response.statuses) writer.writeMessage(2, status, writeStatus);
  for (const header of response.responseHeaders) writer.writeMessage(3, header, writeHeader);
  for (const header of response.requestHeaders) writer.writeMessage(4, header, writeHeader);
  if (response.body !== '') writer.writeBytes(5, Buffer.from(response.body));
  return Buffer.from(writer.getResultBuffer());
};
