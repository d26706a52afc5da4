/** Places as EventStoreDB writes them down: a revision, or a position in `$all` twice. */
import type { StartFrom } from './settings';

export type Target = 'all' | 'stream';

export const placeText = (target: Target, at: number): string => (target === 'all' ? `C:${at}/P:${at}` : String(at));

const shape = { all: /^C:(-?\d{1,16})\/P:-?\d{1,16}$/, stream: /^(-?\d{1,16})$/ };

/** Undefined when it is none. */
export const placeIn = (target: Target, text: unknown): number | undefined => {
  if (typeof text === 'number' && target === 'stream') return text;
  const [, digits] = (typeof text === 'string' && shape[target].exec(text)) || [];
  return digits === undefined ? undefined : Number(digits);
};

export const startText = (target: Target, from: StartFrom): string => {
  if (from === 'start') return placeText(target, 0);
  return from === 'end' ? placeText(target, -1) : placeText(target, from);
};

export const startIn = (target: Target, text: unknown): StartFrom | undefined => {
  const place = placeIn(target, text);
  if (place === undefined || place < -1) return undefined;
  if (place === -1) return 'end';
  return place === 0 ? 'start' : place;
};
