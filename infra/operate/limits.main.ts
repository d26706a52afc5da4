/** `npm run limits`: writes a policy of rate limits that differs from the built-in one, or from a file, by one rule. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describeUnknown, tool } from '../../packages/command-line/src/index';
import { type Policy, parsePolicy, type Rule } from '../../packages/ratelimit/src/index';
import { rulesOf, withOwnRouteGroups } from '../gateway/rate-limit/configured-policy';
import { defaultPolicy as gatewayPolicy } from '../gateway/rate-limit/default-policy';
import { defaultPolicy as servicePolicy } from '../ratelimit/service/default-policy';
import { printLine, readArguments, refuseArguments, stop } from '../server/runtime/command-line';
import { describePolicyFaults } from './launch/policy-faults';

export const program = tool({
  name: 'npm run limits --',
  about: 'Writes the rate limits to a file, and changes one rule of them. Without --rule it changes nothing.',
  arguments: [{ name: 'file', about: 'the policy: changed where it exists, else made of the built-in rules' }],
  options: {
    limiter: {
      type: 'string',
      value: 'NAME',
      about: 'gateway: limits of requests to Septet; service: limits that your services ask for',
      default: 'gateway',
    },
    rule: { type: 'string', value: 'NAME', about: 'the rule to change, as the console names it under Rate limits' },
    limit: { type: 'string', value: 'N', about: 'the most in a period' },
    burst: { type: 'string', value: 'N', about: 'the most at once, of a token bucket' },
    tenant: { type: 'string', value: 'ID', about: 'changes the rule for this tenant only, by an override' },
  },
  notes: [
    'Then start with GATEWAY_RATELIMIT_POLICY_FILE=FILE, or RATELIMIT_POLICY_FILE=FILE for the limits of your services.',
  ],
});

const limiters = {
  gateway: { policy: gatewayPolicy, variable: 'GATEWAY_RATELIMIT_POLICY_FILE' },
  service: { policy: servicePolicy, variable: 'RATELIMIT_POLICY_FILE' },
} as const;

type Limiter = keyof typeof limiters;

const isLimiter = (name: string): name is Limiter => Object.hasOwn(limiters, name);

const limiterOf = (name: string): Limiter =>
  isLimiter(name) ? name : refuseArguments(program, `--limiter must be gateway or service, not ${name}.`);

interface Numbers {
  readonly limit?: number;
  readonly burst?: number;
}

interface Change extends Numbers {
  readonly rule: string;
  readonly tenant?: string;
}

const changed = (rule: Rule, numbers: Numbers): Rule => ({ ...rule, limit: { ...rule.limit, ...numbers } }) as Rule;

const replaced = (rules: readonly Rule[], { rule: name, limit, burst }: Change): readonly Rule[] => {
  const numbers = { ...(limit === undefined ? {} : { limit }), ...(burst === undefined ? {} : { burst }) };
  return rules.map((rule) => (rule.name === name ? changed(rule, numbers) : rule));
};

const isOverrideOf = (tenant: string, { match }: NonNullable<Policy['overrides']>[number]): boolean =>
  JSON.stringify(match) === JSON.stringify({ tenant: [tenant] });

/** For one tenant: its override gets the rule as it is for all, with these numbers. */
const overridden = (policy: Policy, tenant: string, change: Change): Policy => {
  const overrides = policy.overrides ?? [];
  const own = overrides.find((one) => isOverrideOf(tenant, one))?.rules ?? [];
  const known = own.some(({ name }) => name === change.rule)
    ? own
    : [
        ...own,
        ...rulesOf(policy)
          .filter(({ name }) => name === change.rule)
          .slice(0, 1),
      ];
  const rules = replaced(known, change);
  return {
    ...policy,
    overrides: [{ match: { tenant: [tenant] }, rules }, ...overrides.filter((one) => !isOverrideOf(tenant, one))],
  };
};

const changePolicy = (policy: Policy, change: Change): Policy => {
  if (change.tenant !== undefined) return overridden(policy, change.tenant, change);
  const { defaults, plans } = policy;
  const inPlans = Object.entries(plans ?? {}).map(([plan, rules]) => [plan, replaced(rules, change)] as const);
  return {
    ...policy,
    defaults: replaced(defaults, change),
    ...(plans === undefined ? {} : { plans: Object.fromEntries(inPlans) }),
  };
};

/** `custom-1`, `custom-2`, …: the console shows which one is in force. */
const nextVersion = (version: string): string => {
  const [, number] = /^custom-(\d+)$/.exec(version) ?? [];
  return `custom-${Number(number ?? 0) + 1}`;
};

const parseJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return stop(`${file} is not JSON.`, 1);
  }
};

const parseOrStop = (value: unknown, label: string): Policy => {
  const parsed = parsePolicy(value);
  return parsed.ok ? parsed.policy : stop(`${label} cannot be used: ${describePolicyFaults(parsed.errors, value)}`, 1);
};

/** Without the gateway's route groups, which a policy that leaves them out has anyway, of each version its own. */
const initialPolicy = (limiter: Limiter): Policy => {
  const { routeGroups: _groups, ...policy } = limiters[limiter].policy;
  return policy;
};

const numberOf = (option: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const number = /^\d{1,13}$/.test(text) ? Number(text) : 0;
  return number > 0 ? number : refuseArguments(program, `--${option} must be a whole number above 0.`);
};

/** Undefined: nothing changes. */
const changeIn = (options: ReturnType<typeof readArguments<typeof program>>['options']): Change | undefined => {
  const { rule, tenant } = options;
  const limit = numberOf('limit', options.limit);
  const burst = numberOf('burst', options.burst);
  if (rule === undefined) {
    if (limit !== undefined || burst !== undefined || tenant !== undefined)
      return refuseArguments(program, 'Name the rule to change: --rule NAME.');
    return undefined;
  }
  if (limit === undefined && burst === undefined)
    return refuseArguments(program, 'Name the new numbers: --limit N, --burst N, or both.');
  return {
    rule,
    ...(limit === undefined ? {} : { limit }),
    ...(burst === undefined ? {} : { burst }),
    ...(tenant === undefined ? {} : { tenant }),
  };
};

const numbersText = ({ limit }: Rule): string =>
  ['limit', 'burst']
    .flatMap((name) => {
      const number = (limit as Readonly<Record<string, unknown>>)[name];
      return typeof number === 'number' ? [`${name} ${number}`] : [];
    })
    .join(', ');

/** The rule that the change is about: in the tenant's override where it has one. */
const ruleIn = (policy: Policy, { rule, tenant }: Change): Rule | undefined => {
  const own = tenant === undefined ? undefined : (policy.overrides ?? []).find((one) => isOverrideOf(tenant, one));
  return [...(own?.rules ?? []), ...rulesOf(policy)].find(({ name }) => name === rule);
};

const printChange = (before: Policy, after: Policy, change: Change): void => {
  const [was, is] = [ruleIn(before, change), ruleIn(after, change)];
  if (was === undefined || is === undefined) return;
  printLine(`${change.rule}: ${numbersText(was)} before, ${numbersText(is)} now.`);
  const { limit: most, burst } = is.limit as { readonly limit?: number; readonly burst?: number };
  if (most !== undefined && burst !== undefined && burst < most)
    printLine(`The burst is below the limit: at most ${burst} at once, refilled evenly to ${most} in a period.`);
};

const main = (): void => {
  const {
    arguments: { file },
    options,
  } = readArguments(program);
  const limiter = limiterOf(options.limiter);
  const change = changeIn(options);
  const before = existsSync(file) ? parseOrStop(parseJson(file), file) : initialPolicy(limiter);
  const names = [...new Set(rulesOf(before).map(({ name }) => name))];
  if (change !== undefined && !names.includes(change.rule)) stop(describeUnknown('rule', change.rule, names), 1);
  const policy = change === undefined ? before : changePolicy(before, change);
  if (change !== undefined && JSON.stringify(policy) === JSON.stringify(before))
    stop(
      `${change.rule} has these numbers already, or stands only in overrides of ${file}: name --tenant, or edit them.`,
      1,
    );
  const after = {
    ...policy,
    version: nextVersion(before.version),
  };
  const whole = limiter === 'gateway' ? withOwnRouteGroups(after) : after;
  parseOrStop(JSON.parse(JSON.stringify(whole)), 'The changed policy');
  writeFileSync(file, `${JSON.stringify(after, null, 2)}\n`);
  const about = change === undefined ? `${names.length} rules` : `${change.rule} changed`;
  printLine(`Wrote ${file}: version ${after.version}, ${about}.`);
  if (change !== undefined) printChange(before, policy, change);
  printLine(`It is in force after a start with ${limiters[limiter].variable}=${file}.`);
};

if (require.main === module) main();
