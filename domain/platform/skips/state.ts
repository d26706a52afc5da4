/** The events that are skipped now, by view, stream and revision. */
import type { SkipEvent } from './events';

export type Skip = Extract<SkipEvent, { type: 'EventSkipped' }>['data'];
export type Skipped = ReadonlyMap<string, Skip>;

type Named = Pick<Skip, 'view' | 'stream' | 'streamRevision'>;

const keyOf = ({ view, stream, streamRevision }: Named): string => JSON.stringify([view, stream, streamRevision]);

export const nothingSkipped: Skipped = new Map();

export const isOut = (skipped: Skipped, named: Named): boolean => skipped.has(keyOf(named));

export const evolve = (skipped: Skipped, { type, data }: SkipEvent): Skipped => {
  const next = new Map(skipped);
  if (type === 'EventSkipped') next.set(keyOf(data), data);
  else next.delete(keyOf(data));
  return next;
};
