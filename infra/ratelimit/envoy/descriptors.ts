/**
 * Decodes descriptors into dimensions, and groups them. A descriptor with an unknown key matches no limit, as in
 * Envoy's own service: it passes and is counted in a metric.
 */
import type { Dimension, LimitRequest, Weight } from '../../../packages/ratelimit/src/index';
import type { Descriptor, LimitOverride } from './messages';

/** A dimension, or another property of a request that an entry can name. */
export type EntryMeaning = Dimension | 'path' | 'plan' | 'unit' | 'masked-ip';

const defaultKeys: { readonly [key: string]: EntryMeaning } = {
  tenant: 'tenant',
  tenant_id: 'tenant',
  user: 'user',
  user_id: 'user',
  api_key: 'key',
  key: 'key',
  remote_address: 'ip',
  masked_remote_address: 'masked-ip',
  ip: 'ip',
  device: 'device',
  device_id: 'device',
  route: 'route',
  generic_key: 'route',
  path: 'path',
  method: 'method',
  region: 'region',
  model: 'model',
  organisation: 'organisation',
  organization: 'organisation',
  project: 'project',
  plan: 'plan',
  unit: 'unit',
};

const meanings = new Set<string>(Object.values(defaultKeys));
const isMeaning = (word: string): word is EntryMeaning => meanings.has(word);

export type KeyMeanings = ReadonlyMap<string, EntryMeaning>;

/**
 * Pairs such as `x-team=project` add keys or redefine the default ones. Malformed pairs are skipped: the configuration
 * was validated before.
 */
export const createKeyMeanings = (own: readonly string[]): KeyMeanings => {
  const pairs = own.flatMap((pair): readonly (readonly [string, EntryMeaning])[] => {
    const [key = '', meaning = ''] = pair.split('=');
    return isMeaning(meaning) ? [[key, meaning]] : [];
  });
  return new Map([...Object.entries(defaultKeys), ...pairs]);
};

export const isKeyMeaning = (pair: string): boolean => {
  const [key = '', meaning = '', ...more] = pair.split('=');
  return key !== '' && isMeaning(meaning) && more.length === 0;
};

/** Hits count in one unit only; the other units are zero. */
const noUsage: Weight = { requests: 0, bytes: 0, inputTokens: 0, outputTokens: 0 };
const units = new Map<string, (hits: number) => Weight>([
  ['requests', (requests) => ({ ...noUsage, requests })],
  ['bytes', (bytes) => ({ ...noUsage, bytes })],
  ['input-tokens', (inputTokens) => ({ ...noUsage, inputTokens })],
  ['output-tokens', (outputTokens) => ({ ...noUsage, outputTokens })],
  ['tokens', (inputTokens) => ({ ...noUsage, inputTokens })],
]);

/** A `used-` unit reports past usage: it is charged whether or not the limit has room. */
const usedPrefix = /^used-/;
const weightOf = (unit: string): ((hits: number) => Weight) | undefined => units.get(unit.replace(usedPrefix, ''));

/** More than any limit's capacity, so larger requests are too large anyway. */
const maxHits = 2 ** 40;

/** A decoded descriptor. */
export interface DescriptorRequest {
  readonly values: { readonly [meaning in EntryMeaning]?: string };
  readonly hits: number;
  /** The hits are refunded. */
  readonly isNegative: boolean;
  readonly override?: LimitOverride;
}

/** Undefined if no limit applies to the descriptor. */
export const decodeDescriptor = (
  descriptor: Descriptor,
  keys: KeyMeanings,
  hitsOfAll: number,
): DescriptorRequest | undefined => {
  const values: { [meaning in EntryMeaning]?: string } = {};
  for (const { key, value } of descriptor.entries) {
    const meaning = keys.get(key);
    if (meaning === undefined || (values[meaning] ?? value) !== value) return undefined;
    values[meaning] = value;
  }
  if (descriptor.entries.length === 0) return undefined;
  if (values.unit !== undefined && weightOf(values.unit) === undefined) return undefined;
  const { limit, hits = hitsOfAll === 0 ? 1 : hitsOfAll, isNegative } = descriptor;
  return {
    values: values,
    hits: Math.min(hits, maxHits),
    isNegative,
    ...(limit === undefined ? {} : { override: limit }),
  };
};

export const isUsageReport = ({ values: { unit = '' } }: DescriptorRequest): boolean => usedPrefix.test(unit);

/** The weight of so many hits in the descriptor's unit. */
export const weightOfHits = ({ values: { unit = 'requests' } }: DescriptorRequest, hits: number): Weight =>
  weightOf(unit)?.(hits) ?? {};

/** All addresses of a range count as one caller. */
const withoutMask = (range: string): string => range.replace(/\/\d{1,3}$/, '');

export const createLimitRequest = ({ values }: DescriptorRequest, domain: string): Omit<LimitRequest, 'weight'> => {
  const { path, plan, unit: _unit, 'masked-ip': masked, tenant = domain, ...named } = values;
  const address = masked === undefined ? {} : { ip: withoutMask(masked) };
  return {
    dimensions: { ...address, ...named, tenant },
    ...(path === undefined ? {} : { target: path }),
    ...(plan === undefined ? {} : { plan }),
  };
};

export interface DescriptorGroup extends DescriptorRequest {
  /** Indexes of its descriptors in the request. */
  readonly descriptorIndexes: readonly number[];
}

const entriesOf = ({ values }: DescriptorRequest): readonly (readonly [string, string])[] => Object.entries(values);

const belongsTo = (group: DescriptorGroup, request: DescriptorRequest): boolean => {
  if (group.override !== undefined || request.override !== undefined) return false;
  if (group.isNegative !== request.isNegative) return false;
  if (group.hits !== request.hits || group.values.unit !== request.values.unit) return false;
  const known = new Map(entriesOf(group));
  return entriesOf(request).every(([meaning, value]) => (known.get(meaning) ?? value) === value);
};

/**
 * Descriptors without conflicting entries form one group: together they describe one caller, and all limits of the
 * group are decided at once. Descriptors that conflict, count another unit or bring their own limit form groups of
 * their own.
 */
export const groupDescriptors = (requests: readonly (DescriptorRequest | undefined)[]): readonly DescriptorGroup[] => {
  const groups: DescriptorGroup[] = [];
  requests.forEach((request, index) => {
    if (request === undefined) return;
    const at = groups.findIndex((group) => belongsTo(group, request));
    const group = groups[at];
    if (group === undefined) groups.push({ ...request, descriptorIndexes: [index] });
    else
      groups[at] = {
        ...group,
        values: { ...group.values, ...request.values },
        descriptorIndexes: [...group.descriptorIndexes, index],
      };
  });
  return groups;
};
