/** Which consumer a pinned message goes to: the same one for the same key, until that one leaves. */
import type { Consumer } from './message';

/** Keys are spread over so many buckets, as EventStoreDB has them. */
export const buckets = 1024;

/** FNV-1a. */
export const bucketOf = (key: Uint8Array): number => {
  let hash = 0x811c9dc5;
  for (const byte of key) hash = Math.imul(hash ^ byte, 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % buckets;
};

/** A well-mixed number for a consumer and a bucket: the consumer with the highest owns the bucket. */
const weight = (consumer: number, bucket: number): number => {
  let mixed = Math.imul(consumer + 1, 0x9e3779b1) ^ Math.imul(bucket + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

export interface Pins {
  /** While the owner holds messages of the bucket it keeps it, whoever joins. */
  readonly ownerOf: (bucket: number, consumers: readonly Consumer[]) => Consumer | undefined;
  readonly began: (bucket: number, consumer: Consumer) => void;
  readonly ended: (bucket: number, consumer: Consumer) => void;
  readonly left: (consumer: Consumer) => void;
  readonly changed: () => void;
}

interface Pinned {
  owner: Consumer;
  held: number;
  generation: number;
}

const choose = (bucket: number, consumers: readonly Consumer[]): Consumer | undefined =>
  consumers.reduce<Consumer | undefined>(
    (best, consumer) => (best === undefined || weight(consumer.id, bucket) > weight(best.id, bucket) ? consumer : best),
    undefined,
  );

/** Rendezvous hashing: one who joins takes only their own share, and what one who leaves had is spread. */
export const createPins = (): Pins => {
  const pinned = new Map<number, Pinned>();
  let generation = 0;
  return {
    ownerOf: (bucket, consumers) => {
      const known = pinned.get(bucket);
      if (known !== undefined && (known.held > 0 || known.generation === generation)) return known.owner;
      const owner = choose(bucket, consumers);
      if (owner !== undefined) pinned.set(bucket, { owner, held: 0, generation });
      return owner;
    },
    began: (bucket, consumer) => {
      const known = pinned.get(bucket);
      if (known?.owner === consumer) known.held += 1;
    },
    ended: (bucket, consumer) => {
      const known = pinned.get(bucket);
      if (known?.owner === consumer) known.held -= 1;
    },
    left: (consumer) => {
      for (const [bucket, { owner }] of pinned) if (owner === consumer) pinned.delete(bucket);
      generation += 1;
    },
    changed: () => {
      generation += 1;
    },
  };
};
