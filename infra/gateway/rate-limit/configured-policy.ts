/** The effective policy: the configured or the default one, without the rules that are switched off. */
import * as t from 'io-ts';
import { type ParsedPolicy, type Policy, parsePolicy, type Rule } from '../../../packages/ratelimit/src/index';
import { defaultPolicy } from './default-policy';
import { routeGroups } from './route-groups';

/** A policy without route groups has the gateway's, so that files need not repeat them, and get those of later versions. */
export const withOwnRouteGroups = (policy: unknown): unknown =>
  typeof policy === 'object' && policy !== null && !('routeGroups' in policy) ? { ...policy, routeGroups } : policy;

const parsePolicyText = (text: unknown): ParsedPolicy => {
  try {
    return parsePolicy(withOwnRouteGroups(typeof text === 'string' ? JSON.parse(text) : text));
  } catch {
    return { ok: false, errors: [{ pointer: '', message: 'is to be JSON.' }] };
  }
};

const invalid = (name: string): t.Decoder<unknown, unknown> =>
  new t.Type<unknown>(name, t.unknown.is, t.success, t.identity);

/** Policy in an environment variable; errors name the place in the policy. */
export const policyText = new t.Type<Policy, Policy, unknown>(
  'a policy of limits, as JSON',
  (value): value is Policy => parsePolicy(value).ok,
  (value, context) => {
    const found = parsePolicyText(value);
    if (found.ok) return t.success(found.policy);
    return t.failures(
      found.errors.map(({ pointer, message }) => ({
        value: undefined,
        context: [...context, ...pointer.split('/').map((key) => ({ key, type: invalid(message) }))].filter(
          ({ key }, index) => index < context.length || key !== '',
        ),
      })),
    );
  },
  t.identity,
);

export interface RateLimitConfig {
  readonly GATEWAY_RATELIMIT_POLICY?: Policy | undefined;
  readonly GATEWAY_RATELIMIT_OFF: readonly string[];
}

export const rulesOf = ({ defaults, plans = {}, overrides = [] }: Policy): readonly Rule[] => [
  ...defaults,
  ...Object.values(plans).flat(),
  ...overrides.flatMap(({ rules }) => rules),
];

export const groupNamesOf = ({ routeGroups = [] }: Policy): ReadonlySet<string> =>
  new Set(routeGroups.map(({ name }) => name));

/** Route groups that some rule refers to. */
export const limitedGroupsOf = (policy: Policy): ReadonlySet<string> =>
  new Set(rulesOf(policy).flatMap(({ when }) => when?.route ?? []));

/** Rules that count callers at one address separately. */
export const callerRulesOf = (policy: Policy): ReadonlySet<string> =>
  new Set(rulesOf(policy).flatMap(({ name, by }) => (by.includes('key') ? [name] : [])));

/** Throws for an unknown rule name: a typo would leave the rule active. */
export const configuredPolicy = ({
  GATEWAY_RATELIMIT_POLICY: configured,
  GATEWAY_RATELIMIT_OFF: off,
}: RateLimitConfig): Policy => {
  const policy = configured ?? defaultPolicy;
  const names = new Set(rulesOf(policy).map(({ name }) => name));
  const unknown = off.filter((name) => !names.has(name));
  if (unknown.length > 0) throw new Error(`GATEWAY_RATELIMIT_OFF: there is no rule ${unknown.join(', ')}.`);
  const left = (rules: readonly Rule[]): readonly Rule[] => rules.filter(({ name }) => !off.includes(name));
  const { defaults, plans = {}, overrides = [] } = policy;
  return {
    ...policy,
    defaults: left(defaults),
    plans: Object.fromEntries(Object.entries(plans).map(([plan, rules]) => [plan, left(rules)])),
    overrides: overrides.map(({ match, rules }) => ({ match, rules: left(rules) })),
  };
};
