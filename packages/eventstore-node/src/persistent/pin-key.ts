/** By what the pinned strategies keep events together: their stream, or their correlation id. */
import { resolve } from '../storage/links';
import { dataOf, messageOf, type StoredRecord, streamOf, typeOf } from '../storage/record';
import type { Storage } from '../storage/storage';
import { bucketOf } from './pins';
import type { Settings } from './settings';
import type { PinOf } from './source';

const linkType = Buffer.from('$>');
const at = 0x40;

/** A link stands for the stream it leads to, whether it is resolved or not. */
const streamKey = ({ bytes }: StoredRecord): Buffer => {
  if (!typeOf(bytes).equals(linkType)) return streamOf(bytes);
  const data = dataOf(bytes);
  const separator = data.indexOf(at);
  return separator < 0 ? data : data.subarray(separator + 1);
};

const customMetadataTag = 0x3a;

/** Walks the fields of `RecordedEvent`: all tags are one byte, all types varint or bytes. */
const customMetadataOf = (message: Buffer): Buffer => {
  let offset = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = message[offset] ?? 0;
      offset += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  while (offset < message.length) {
    const tag = message[offset] ?? 0;
    offset += 1;
    const value = varint();
    if ((tag & 7) === 0) continue;
    if (tag === customMetadataTag) return message.subarray(offset, offset + value);
    offset += value;
  }
  return Buffer.alloc(0);
};

const correlationOf = (bytes: Buffer): Buffer | undefined => {
  try {
    const metadata: unknown = JSON.parse(customMetadataOf(messageOf(bytes)).toString('utf8'));
    const id = (metadata as { readonly $correlationId?: unknown } | null)?.$correlationId;
    return typeof id === 'string' ? Buffer.from(id) : undefined;
  } catch {
    return undefined;
  }
};

export const pinBy = (storage: Storage, { strategy, resolveLinks }: Settings): PinOf => {
  if (strategy === 'Pinned') return (record) => bucketOf(streamKey(record));
  if (strategy !== 'PinnedByCorrelation') return () => 0;
  return (record) => {
    const event = resolveLinks ? (resolve(storage, record).event ?? record) : record;
    return bucketOf(correlationOf(event.bytes) ?? streamKey(event));
  };
};
