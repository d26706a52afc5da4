/** What a request is known by, written so that no two callers share a key and no caller can make keys without end. */
import { hash } from 'node:crypto';
import { addressPrefix } from '../address-prefix';
import { memoize } from './memoize';

/** The specification's, and those of model APIs. */
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

/** What many callers have in common; the others say who a caller is. */
export const sharedDimensions: ReadonlySet<string> = new Set<Dimension>(['method', 'region', 'route', 'model']);

/** Longer values are told apart by their hash alone: nobody fills the store with one. */
const maxValueLength = 128;

const caseInsensitive: ReadonlySet<Dimension> = new Set<Dimension>(['method', 'region', 'model']);

export const normaliseDimension = (name: Dimension, value: string): string => {
  if (name === 'ip') return addressPrefix(value);
  const written = value.normalize('NFC');
  return caseInsensitive.has(name) ? written.toLowerCase() : written;
};

/** Each part with its length before it: no value can pass for two, nor two for one. */
export const hashOf = (parts: readonly string[]): string =>
  hash('sha256', parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''), 'base64url').slice(0, 27);

/** Limits of one tenant lie together, so that one script can decide over all of them; others lie by their own values. */
const hashTagFor = (by: readonly Dimension[], dimensions: Dimensions): string =>
  by.includes('tenant')
    ? `{t${hashOf([dimensions.tenant ?? ''])}}`
    : `{v${hashOf(by.flatMap((name) => [name, normaliseDimension(name, dimensions[name] ?? '')]))}}`;

/** What is cut off still tells apart. */
const boundedParts = (value: string): readonly string[] =>
  value.length <= maxValueLength ? [`+${value}`] : [`+${value.slice(0, maxValueLength)}`, hashOf([value])];

/** 114 bits tell them apart. */
const callerCharacters = 19;

const hashedKey = (by: readonly Dimension[], dimensions: Dimensions): string => {
  const values = by.flatMap((name) => {
    const value = dimensions[name];
    return [name, ...(value === undefined ? ['-'] : boundedParts(normaliseDimension(name, value)))];
  });
  return `limit:${hashTagFor(by, dimensions)}:${hashOf(values).slice(0, callerCharacters)}`;
};

const keys = memoize<string>(16_384);
/** Whoever sends more is not known by heart. */
const maxMemoizedLength = 512;

/** As in the hash, each part has its length before it. */
const memoizationKey = (by: readonly Dimension[], dimensions: Dimensions): string => {
  let written = '';
  for (const name of by) {
    const value = dimensions[name];
    written += value === undefined ? `${name}-` : `${name}${value.length}:${value}`;
  }
  return written;
};

/** Of a caller, for all limits by the same dimensions. A value that is missing is a value of its own: what cannot be told apart shares. */
export const keyOf = (by: readonly Dimension[], dimensions: Dimensions): string => {
  const written = memoizationKey(by, dimensions);
  if (written.length > maxMemoizedLength) return hashedKey(by, dimensions);
  return keys(written, () => hashedKey(by, dimensions));
};

/** By which a quota's count is recorded: ends with the limit and the caller. */
export const quotaKeyOf = (key: string, limitId: string): string => `${key}:${limitId}${key.slice(-callerCharacters)}`;
