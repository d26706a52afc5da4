/** A state as JSON: maps are objects, sets are lists, and nothing that is secret is in it. */
import { isTelling, withheld } from './shown-event';

const isForgotten = (value: object): boolean => (value as { readonly forgotten?: unknown }).forgotten === true;

type Entry = readonly [string, unknown];

const entriesOf = (value: object): readonly Entry[] =>
  value instanceof Map ? [...value].map(([key, inner]): Entry => [String(key), inner]) : Object.entries(value);

/** `secret`: how what the events held sealed is shown. */
export const shownState = (value: unknown, secret: object): unknown => {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (isForgotten(value)) return secret;
  if (Array.isArray(value) || value instanceof Set) return [...value].map((inner) => shownState(inner, secret));
  const fields = entriesOf(value).map(([field, inner]): Entry => {
    const isHidden = isTelling(field) && inner !== null && inner !== undefined;
    return [field, isHidden ? withheld : shownState(inner, secret)];
  });
  return Object.fromEntries(fields);
};
