/**
 * What the entries of descriptors say in our words. A key that means nothing here makes its descriptor one that no limit is for, as
 * it is with Envoy's own service: unlimited, and counted.
 */
import type { Dimension, LimitRequest, Weight } from '../../../packages/ratelimit/src/index';
import type { Descriptor, OverridingLimit } from './messages';

/** A dimension, or what else of a request an entry can say. */
export type Meaning = Dimension | 'path' | 'plan' | 'unit' | 'masked-ip';

const usual: { readonly [key: string]: Meaning } = {
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

const meanings = new Set<string>(Object.values(usual));
const isMeaning = (word: string): word is Meaning => meanings.has(word);

export type Keys = ReadonlyMap<string, Meaning>;

/** `x-team=project`: more keys, or other meanings of these. What is none is left out: configuration has been checked. */
export const keysWith = (own: readonly string[]): Keys => {
  const pairs = own.flatMap((pair): readonly (readonly [string, Meaning])[] => {
    const [key = '', meaning = ''] = pair.split('=');
    return isMeaning(meaning) ? [[key, meaning]] : [];
  });
  return new Map([...Object.entries(usual), ...pairs]);
};

export const isKey = (pair: string): boolean => {
  const [key = '', meaning = '', ...more] = pair.split('=');
  return key !== '' && isMeaning(meaning) && more.length === 0;
};

/** Hits are of one unit, and nothing of the others. */
const nothing: Weight = { requests: 0, bytes: 0, inputTokens: 0, outputTokens: 0 };
const units = new Map<string, (hits: number) => Weight>([
  ['requests', (requests) => ({ ...nothing, requests })],
  ['bytes', (bytes) => ({ ...nothing, bytes })],
  ['input-tokens', (inputTokens) => ({ ...nothing, inputTokens })],
  ['output-tokens', (outputTokens) => ({ ...nothing, outputTokens })],
  ['tokens', (inputTokens) => ({ ...nothing, inputTokens })],
]);

/** `used-tokens`: they are used already, and are owed whether there was room for them or not. */
const used = /^used-/;
const weightOf = (unit: string): ((hits: number) => Weight) | undefined => units.get(unit.replace(used, ''));

/** No limit holds more: what asks for it is too large, however large it is. */
const mostHits = 2 ** 40;

/** One descriptor as a question. */
export interface Question {
  readonly said: { readonly [meaning in Meaning]?: string };
  readonly hits: number;
  /** They are given back. */
  readonly isNegative: boolean;
  readonly override?: OverridingLimit;
}

/** Undefined: no limit is for it. */
export const questionOf = (descriptor: Descriptor, keys: Keys, hitsOfAll: number): Question | undefined => {
  const said: { [meaning in Meaning]?: string } = {};
  for (const { key, value } of descriptor.entries) {
    const meaning = keys.get(key);
    if (meaning === undefined || (said[meaning] ?? value) !== value) return undefined;
    said[meaning] = value;
  }
  if (descriptor.entries.length === 0) return undefined;
  if (said.unit !== undefined && weightOf(said.unit) === undefined) return undefined;
  const { limit, hits = hitsOfAll === 0 ? 1 : hitsOfAll, isNegative } = descriptor;
  return { said, hits: Math.min(hits, mostHits), isNegative, ...(limit === undefined ? {} : { override: limit }) };
};

export const isUsed = ({ said: { unit = '' } }: Question): boolean => used.test(unit);

/** What it weighs, so many times. */
export const weightIn = ({ said: { unit = 'requests' } }: Question, hits: number): Weight =>
  weightOf(unit)?.(hits) ?? {};

/** Addresses of the range are one caller. */
const unmasked = (range: string): string => range.replace(/\/\d{1,3}$/, '');

export const limitRequestOf = ({ said }: Question, domain: string): Omit<LimitRequest, 'weight'> => {
  const { path, plan, unit: _unit, 'masked-ip': masked, tenant = domain, ...named } = said;
  const address = masked === undefined ? {} : { ip: unmasked(masked) };
  return {
    dimensions: { ...address, ...named, tenant },
    ...(path === undefined ? {} : { target: path }),
    ...(plan === undefined ? {} : { plan }),
  };
};
