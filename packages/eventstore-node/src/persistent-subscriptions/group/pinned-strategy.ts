/** Chooses the consumer of a pinned message: the same one for the same key, until it leaves. */

import { dataOf, messageOf, type StoredRecord, streamOf, typeOf } from '../../storage/records/record-format';
import type { Storage } from '../../storage/storage';
import { resolveLink } from '../../storage/streams/resolve-links';
import type { PinningKeyOf } from '../page-reader';
import type { GroupSettings } from '../settings';
import type { Consumer } from './messages';

/** The number of buckets that keys are spread over, as in EventStoreDB. */
export const bucketCount = 1024;

/** FNV-1a. */
export const bucketOf = (key: Uint8Array): number => {
  let hash = 0x811c9dc5;
  for (const byte of key) hash = Math.imul(hash ^ byte, 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % bucketCount;
};

/** A hash of a consumer and a bucket: the consumer with the highest one owns the bucket. */
const weight = (consumer: number, bucket: number): number => {
  let mixed = Math.imul(consumer + 1, 0x9e3779b1) ^ Math.imul(bucket + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

export interface PinnedConsumers {
  /** An owner that still holds messages of the bucket keeps it, even when a consumer joins. */
  readonly ownerOf: (bucket: number, consumers: readonly Consumer[]) => Consumer | undefined;
  readonly messageSent: (bucket: number, consumer: Consumer) => void;
  readonly messageHandled: (bucket: number, consumer: Consumer) => void;
  readonly consumerLeft: (consumer: Consumer) => void;
  readonly consumersChanged: () => void;
}

interface PinnedBucket {
  owner: Consumer;
  inFlight: number;
  generation: number;
}

const chooseOwner = (bucket: number, consumers: readonly Consumer[]): Consumer | undefined =>
  consumers.reduce<Consumer | undefined>(
    (best, consumer) => (best === undefined || weight(consumer.id, bucket) > weight(best.id, bucket) ? consumer : best),
    undefined,
  );

/** Rendezvous hashing: a consumer that joins takes only its own share, and the share of one that leaves is spread. */
export const createPinnedConsumers = (): PinnedConsumers => {
  const pinned = new Map<number, PinnedBucket>();
  let generation = 0;
  return {
    ownerOf: (bucket, consumers) => {
      const known = pinned.get(bucket);
      if (known !== undefined && (known.inFlight > 0 || known.generation === generation)) return known.owner;
      const owner = chooseOwner(bucket, consumers);
      if (owner !== undefined) pinned.set(bucket, { owner, inFlight: 0, generation });
      return owner;
    },
    messageSent: (bucket, consumer) => {
      const known = pinned.get(bucket);
      if (known?.owner === consumer) known.inFlight += 1;
    },
    messageHandled: (bucket, consumer) => {
      const known = pinned.get(bucket);
      if (known?.owner === consumer) known.inFlight -= 1;
    },
    consumerLeft: (consumer) => {
      for (const [bucket, { owner }] of pinned) if (owner === consumer) pinned.delete(bucket);
      generation += 1;
    },
    consumersChanged: () => {
      generation += 1;
    },
  };
};

const linkType = Buffer.from('$>');
const atSign = 0x40;

/** A link counts as its target stream, whether it is resolved or not. */
const streamKey = ({ bytes }: StoredRecord): Buffer => {
  if (!typeOf(bytes).equals(linkType)) return streamOf(bytes);
  const data = dataOf(bytes);
  const separator = data.indexOf(atSign);
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

/** The key by which pinned strategies keep events together: their stream, or their correlation id. */
export const createPinningKey = (storage: Storage, { strategy, resolveLinks }: GroupSettings): PinningKeyOf => {
  if (strategy === 'Pinned') return (record) => bucketOf(streamKey(record));
  if (strategy !== 'PinnedByCorrelation') return () => 0;
  return (record) => {
    const event = resolveLinks ? (resolveLink(storage, record).event ?? record) : record;
    return bucketOf(correlationOf(event.bytes) ?? streamKey(event));
  };
};
