/** Rules of rate limits in words: how much they allow to which caller, and what they protect. */
import type { RateLimitRule } from '../../../packages/client/src/schemas';
import { durationOf, numberOf } from '../kernel/format';

const units: { readonly [unit: string]: string } = {
  requests: 'requests',
  'concurrent-requests': 'requests at a time',
};

const periods: { readonly [milliseconds: string]: string } = {
  1000: 'a second',
  60000: 'a minute',
  3600000: 'an hour',
  86400000: 'a day',
};

const periodOf = ({ algorithm, periodMilliseconds }: RateLimitRule): string => {
  if (periodMilliseconds !== null)
    return ` ${periods[periodMilliseconds] ?? `every ${durationOf(periodMilliseconds / 1_000)}`}`;
  const [, calendar] = /^quota per (.+)$/.exec(algorithm) ?? [];
  return calendar === undefined ? '' : ` each calendar ${calendar}`;
};

/** `200 requests a second, 4,000 at once` */
export const amountOf = (rule: RateLimitRule): string => {
  const { limit, unit, burst } = rule;
  const amount = `${numberOf(limit)} ${units[unit] ?? unit.replaceAll('-', ' ')}${periodOf(rule)}`;
  return burst === null || burst === limit ? amount : `${amount}, ${numberOf(burst)} at once`;
};

const subjects: { readonly [dimension: string]: string } = {
  ip: 'address',
  key: 'client',
  user: 'user',
  tenant: 'tenant',
  model: 'model',
  route: 'route',
  device: 'device',
  region: 'region',
  organisation: 'organization',
  project: 'project',
};

const subjectOf = (dimension: string): string => subjects[dimension] ?? dimension;

/** A user is one of a tenant, a client one at an address. */
const narrowerOf: readonly (readonly [narrow: string, wide: string, words: string])[] = [
  ['user', 'tenant', 'user of a tenant'],
  ['key', 'ip', 'client at an address'],
  ['ip', 'tenant', 'address that calls a tenant'],
];

/** `for each user of a tenant and each model` */
export const countedFor = ({ by }: Pick<RateLimitRule, 'by'>): string => {
  if (by.length === 0) return 'for all together';
  const pair = narrowerOf.find(([narrow, wide]) => by.includes(narrow) && by.includes(wide));
  const rest = pair === undefined ? by : by.filter((dimension) => dimension !== pair[0] && dimension !== pair[1]);
  const words = [...(pair === undefined ? [] : [pair[2]]), ...rest.map(subjectOf)];
  return `for ${words.map((word) => `each ${word}`).join(' and ')}`;
};

/** Route groups of the gateway. A group of an operator's own policy has no words here. */
const groups: { readonly [group: string]: string } = {
  token: 'the token endpoint',
  'token-proven': 'the token endpoint, for clients that succeeded before',
  introspection: 'introspection and revocation of tokens',
  'introspection-proven': 'introspection and revocation of tokens, for clients that succeeded before',
  authorization: 'the other endpoints of OAuth',
  registration: 'applications that register themselves',
  'first-admin': 'the code of the first administrator',
  'sign-in': 'attempts to sign in',
  'sign-in-proven': 'attempts to sign in, from browsers that succeeded before',
  page: 'the pages of sign-in and account',
  keys: 'the public signing keys',
  blob: 'uploads and downloads',
  delivery: 'what players read of videos',
  'service-authenticated': 'endpoints with a proof of their own: Git, runners, signed links',
  refused: 'requests that fail before the caller is known',
  read: 'queries',
  command: 'commands',
  decision: 'checks of this limiter',
  delegation: 'making and revoking delegations',
  'place-changes': 'changes of many places at once',
  danger: 'actions that give away authority or cannot be undone',
  checked: 'requests that an Envoy asks about',
  other: 'everything else',
};

export const groupOf = (group: string): string => groups[group] ?? `requests of the group ${group}`;

export const hasWordsFor = (group: string): boolean => Object.hasOwn(groups, group);

const isAny = (values: readonly string[]): boolean =>
  values.every((value) => ['*', '0.0.0.0/0', '::/0'].includes(value));

/** `the token endpoint`; requests that need a value of a dimension, or a certain one. */
export const protectedBy = ({ match, by }: Pick<RateLimitRule, 'match' | 'by'>): string => {
  const { route = [], ...others } = match;
  const conditions = Object.entries(others).flatMap(([dimension, values]): readonly string[] => {
    if (isAny(values)) return by.includes(dimension) ? [] : [`with a ${subjectOf(dimension)}`];
    return [`of the ${subjectOf(dimension)} ${values.join(' or ')}`];
  });
  const what = route.length === 0 ? 'every request' : route.map(groupOf).join(', and ');
  return [what, ...conditions].join(' ');
};

/** Null: a request over the limit is refused. */
export const leniencyOf = ({ strictness }: Pick<RateLimitRule, 'strictness'>): string | null => {
  if (strictness === 'soft') return 'Not refused: the answer advises to slow down.';
  return strictness === 'watched' ? 'Not enforced: only counted.' : null;
};

/** While the store of the counters is unavailable. */
export const whileStoreFails = {
  deny: 'Requests are refused',
  allow: 'Requests pass',
  local: 'Each process counts by itself',
} as const satisfies { readonly [Answer in RateLimitRule['onStoreError']]: string };

/** Whether the rule is found by what was typed: its name, or its words. */
export const isFound = (rule: RateLimitRule, wanted: string): boolean =>
  [rule.name, amountOf(rule), countedFor(rule), protectedBy(rule)]
    .join(' ')
    .toLowerCase()
    .includes(wanted.toLowerCase());
