/** A request's bytes (protocol buffers); what is not known is passed over, as the format asks. */
import { BinaryReader } from 'google-protobuf';
import { type Descriptor, type DescriptorEntry, most, type OverridingLimit, type RateLimitRequest } from './messages';

type Fields<A> = { readonly [number: number]: (reader: BinaryReader, so: A) => A };

const fieldsOf = <A>(reader: BinaryReader, fields: Fields<A>, empty: A): A => {
  let so = empty;
  while (reader.nextField() && !reader.isEndGroup()) {
    const read = fields[reader.getFieldNumber()];
    if (read === undefined) reader.skipField();
    else so = read(reader, so);
  }
  return so;
};

const within = <A>(reader: BinaryReader, fields: Fields<A>, empty: A): A => {
  let found = empty;
  reader.readMessage(empty, () => {
    found = fieldsOf(reader, fields, empty);
  });
  return found;
};

interface List<A> {
  readonly fields: Fields<A>;
  readonly empty: A;
  /** One more is kept, so that it shows that there were too many; the others would only cost time. */
  readonly most: number;
}

const listed = <A>(reader: BinaryReader, so: readonly A[], { fields, empty, most }: List<A>): readonly A[] => {
  if (so.length <= most) return [...so, within(reader, fields, empty)];
  reader.skipField();
  return so;
};

const entryFields: Fields<DescriptorEntry> = {
  1: (reader, so) => ({ ...so, key: reader.readString() }),
  2: (reader, so) => ({ ...so, value: reader.readString() }),
};

/** `google.protobuf.UInt64Value` and `UInt32Value`. */
const valueFields: Fields<number> = { 1: (reader) => Number(reader.readUint64String()) };

const entries: List<DescriptorEntry> = { fields: entryFields, empty: { key: '', value: '' }, most: most.entries };

const limitFields: Fields<OverridingLimit> = {
  1: (reader, so) => ({ ...so, requestsPerUnit: reader.readUint32() }),
  2: (reader, so) => ({ ...so, unit: reader.readEnum() }),
  3: (reader, so) => ({ ...so, multiplier: within(reader, valueFields, 0) }),
};

const descriptorFields: Fields<Descriptor> = {
  1: (reader, so) => ({ ...so, entries: listed(reader, so.entries, entries) }),
  2: (reader, so) => ({ ...so, limit: within(reader, limitFields, noLimit) }),
  3: (reader, so) => ({ ...so, hits: within(reader, valueFields, 0) }),
  4: (reader, so) => ({ ...so, isNegative: reader.readBool() }),
};

const noLimit: OverridingLimit = { requestsPerUnit: 0, unit: 0, multiplier: 1 };
const noDescriptor: Descriptor = { entries: [], isNegative: false };

const descriptors: List<Descriptor> = { fields: descriptorFields, empty: noDescriptor, most: most.descriptors };

const requestFields: Fields<RateLimitRequest> = {
  1: (reader, so) => ({ ...so, domain: reader.readString() }),
  2: (reader, so) => ({ ...so, descriptors: listed(reader, so.descriptors, descriptors) }),
  3: (reader, so) => ({ ...so, hits: reader.readUint32() }),
};

/** Throws on what is no message. */
export const readRequest = (bytes: Uint8Array): RateLimitRequest =>
  fieldsOf(new BinaryReader(bytes), requestFields, { domain: '', descriptors: [], hits: 0 });
