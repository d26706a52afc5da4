/**
 * What positions of one log are in a copy of it. A copy has the events of different streams in another order, so a checkpoint becomes the last
 * position before which the copy has nothing but what the checkpoint had passed: what comes after it twice is recognised by its ids, and nothing
 * is passed over.
 */
import type { LoggedEvent } from '../../../../packages/eventstore-node/src/transfer/index';

export interface PositionTranslation {
  /** Null: before the first event. */
  readonly checkpoint: (position: bigint) => bigint | null;
  /** Of an event; undefined where the source has none there. */
  readonly event: (position: bigint) => bigint | undefined;
}

export interface TranslatedPositions {
  readonly checkpoints: readonly bigint[];
  readonly positions: readonly bigint[];
}

type Placed = Pick<LoggedEvent, 'stream' | 'revision' | 'position'>;

export interface PositionTranslator {
  /** Every event of the source, in its order, before any of the copy. */
  readonly source: (event: Placed) => void;
  /** Every event of the copy, in its order. */
  readonly target: (event: Placed) => void;
  readonly translation: () => PositionTranslation;
}

const keyOf = ({ stream, revision }: Placed): string => `${stream.toString('latin1')}\n${revision}`;

export const createPositionTranslator = ({ checkpoints, positions }: TranslatedPositions): PositionTranslator => {
  const wanted = new Set(positions.map(Number));
  /** Checkpoints that the copy has only passed events of so far, the earliest first. */
  const open = [...new Set(checkpoints.map(Number))].sort((one, other) => one - other);
  const earliest = open[0] ?? Number.POSITIVE_INFINITY;
  /** What comes after the earliest checkpoint, and what is looked for, by stream and revision. */
  const sources = new Map<string, number>();
  const found = new Map<number, number>();
  const settled = new Map<number, number | null>();
  let last: number | null = null;
  return {
    source: (event) => {
      if (event.position > earliest || wanted.has(event.position)) sources.set(keyOf(event), event.position);
    },
    target: (event) => {
      const source = sources.size === 0 ? undefined : sources.get(keyOf(event));
      if (source !== undefined && wanted.has(source)) found.set(source, event.position);
      // An event that the earlier checkpoints had not passed.
      while (source !== undefined && open[0] !== undefined && open[0] < source)
        settled.set(open.shift() as number, last);
      last = event.position;
    },
    translation: () => ({
      checkpoint: (position) => {
        const place = settled.has(Number(position)) ? settled.get(Number(position)) : last;
        return place === null || place === undefined ? null : BigInt(place);
      },
      event: (position) => {
        const place = found.get(Number(position));
        return place === undefined ? undefined : BigInt(place);
      },
    }),
  };
};
