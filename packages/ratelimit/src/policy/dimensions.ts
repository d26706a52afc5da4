/**
 * Dimensions of a request and the keys made of them: no two callers share a key, and no caller can create unlimited
 * keys.
 */
import { hash } from 'node:crypto';
import { addressPrefix } from '../address-prefix';
import { memoize } from './memoize';

/** Dimensions of the specification, and of model APIs. */
export type Dimension =
  | 'tenant'
  | 'user'
  | 'key'
  | 'ip'
  | 'device'
  | 'route'
  | 'method'
  | 'region'
  | 'model'
  | 'organisation'
  | 'project';

export type Dimensions = { readonly [name in Dimension]?: string };

/** Dimensions that do not identify a caller. */
export const sharedDimensions: ReadonlySet<string> = new Set<Dimension>(['method', 'region', 'route', 'model']);

/** Longer values are cut and hashed, so that none fills the store. */
const maxValueLength = 128;

const caseInsensitive: ReadonlySet<Dimension> = new Set<Dimension>(['method', 'region', 'model']);

export const normaliseDimension = (name: Dimension, value: string): string => {
  if (name === 'ip') return addressPrefix(value);
  const written = value.normalize('NFC');
  return caseInsensitive.has(name) ? written.toLowerCase() : written;
};

/** Length-prefixed parts, so that no two lists have the same hash input. */
export const hashOf = (parts: readonly string[]): string =>
  hash('sha256', parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''), 'base64url').slice(0, 27);

/**
 * Keys of one tenant share a hash tag, so that one script can reach all of them; other keys have a tag by their values.
 */
const hashTagFor = (by: readonly Dimension[], dimensions: Dimensions): string =>
  by.includes('tenant')
    ? `{t${hashOf([dimensions.tenant ?? ''])}}`
    : `{v${hashOf(by.flatMap((name) => [name, normaliseDimension(name, dimensions[name] ?? '')]))}}`;

/** The hash covers the part that was cut. */
const boundedParts = (value: string): readonly string[] =>
  value.length <= maxValueLength ? [`+${value}`] : [`+${value.slice(0, maxValueLength)}`, hashOf([value])];

/** 114 bits are enough to distinguish callers. */
const callerCharacters = 19;

const hashedKey = (by: readonly Dimension[], dimensions: Dimensions): string => {
  const values = by.flatMap((name) => {
    const value = dimensions[name];
    return [name, ...(value === undefined ? ['-'] : boundedParts(normaliseDimension(name, value)))];
  });
  return `limit:${hashTagFor(by, dimensions)}:${hashOf(values).slice(0, callerCharacters)}`;
};

const keys = memoize<string>(16_384);
/** Longer inputs are not memoized. */
const maxMemoizedLength = 512;

/** Length-prefixed, like the hash input. */
const memoizationKey = (by: readonly Dimension[], dimensions: Dimensions): string => {
  let written = '';
  for (const name of by) {
    const value = dimensions[name];
    written += value === undefined ? `${name}-` : `${name}${value.length}:${value}`;
  }
  return written;
};

/**
 * Key of a caller for all limits by these dimensions. Missing values count as a value of their own, so such callers
 * share a key.
 */
export const keyOf = (by: readonly Dimension[], dimensions: Dimensions): string => {
  const written = memoizationKey(by, dimensions);
  if (written.length > maxMemoizedLength) return hashedKey(by, dimensions);
  return keys(written, () => hashedKey(by, dimensions));
};

/** Key of a quota; its end identifies the limit and the caller in recorded usage. */
export const quotaKeyOf = (key: string, limitId: string): string => `${key}:${limitId}${key.slice(-callerCharacters)}`;
