/** A policy as operators see it: its rules one by one, without code, hints or long lists. */
import type { Match, Policy, Rule } from '../../packages/ratelimit/src/index';
import type { PolicySource } from '../../packages/ratelimit/src/server';
import type { Enforcer, PolicyOrigin, PolicyRule, ReportedPolicy } from '../ports/rate-limit-reports';

/** Of a dimension. */
const maxValues = 20;
/** Of overrides, which may be a hundred thousand. */
const maxOverrides = 500;

const matchOf = (match: Match): PolicyRule['match'] =>
  Object.fromEntries(Object.entries(match).map(([name, values]) => [name, values.slice(0, maxValues)]));

const periodOf = ({ limit }: Rule): number | null => ('periodMilliseconds' in limit ? limit.periodMilliseconds : null);

const reported = (set: string, match: Match, rule: Rule): PolicyRule => {
  const { name, by, when = {}, limit, cost, strictness = 'hard', onStoreError } = rule;
  const unit = cost?.unit ?? (limit.algorithm === 'concurrency' ? 'concurrent-requests' : 'requests');
  return {
    name,
    set,
    match: matchOf({ ...match, ...when }),
    by,
    algorithm: limit.algorithm === 'quota' ? `quota per ${limit.per}` : limit.algorithm,
    unit,
    limit: limit.limit,
    periodMilliseconds: periodOf(rule),
    burst: limit.algorithm === 'token-bucket' ? limit.burst : null,
    strictness,
    onStoreError: typeof onStoreError === 'string' ? onStoreError : 'local',
  };
};

const overridesOf = ({ overrides }: Policy | PolicySource): readonly PolicyRule[] => {
  const rules: PolicyRule[] = [];
  for (let index = 0; index < Math.min(overrides?.length ?? 0, maxOverrides); index += 1) {
    const override = overrides?.at(index);
    if (override !== undefined) rules.push(...override.rules.map((rule) => reported('override', override.match, rule)));
  }
  return rules;
};

export interface PolicyPlace {
  readonly origin: PolicyOrigin;
  readonly file: string | null;
}

/** `variable` may have a text, or `variable` and `_FILE` a path. */
export const policyPlaceOf = (
  variable: string,
  env: { readonly [variable: string]: string | undefined },
): PolicyPlace => {
  const file = env[`${variable}_FILE`] || null;
  if (file !== null) return { origin: 'file', file };
  return { origin: env[variable] ? 'variable' : 'built-in', file: null };
};

export const reportPolicy = (
  enforcedBy: Enforcer,
  policy: Policy | PolicySource,
  { origin, file }: PolicyPlace,
): ReportedPolicy => ({
  enforcedBy,
  version: policy.version,
  origin,
  file,
  rules: [
    ...policy.defaults.map((rule) => reported('defaults', {}, rule)),
    ...Object.entries(policy.plans ?? {}).flatMap(([plan, rules]) => rules.map((rule) => reported(plan, {}, rule))),
    ...overridesOf(policy),
  ],
});

const matches = (value: string, tenantId: string): boolean =>
  value.endsWith('*') ? tenantId.startsWith(value.slice(0, -1)) : value === tenantId;

/** A tenant sees no rule of other tenants, and no path: paths are for operators. */
export const rulesForTenant = (policy: ReportedPolicy, tenantId: string): ReportedPolicy => ({
  ...policy,
  file: null,
  rules: policy.rules
    .filter(({ match }) => match.tenant === undefined || match.tenant.some((value) => matches(value, tenantId)))
    .map((rule) =>
      rule.match.tenant === undefined ? rule : { ...rule, match: { ...rule.match, tenant: [tenantId] } },
    ),
});
