/** The policy, read once: which rules hold for a request, and each rule's limit as the store takes it. */
import { type Compiled, compile } from './compiled';
import { type CostModel, costModels } from './cost';
import type { Dimensions } from './dimensions';
import { mapped } from './entries';
import { type Matching, matcher, matching } from './match';
import {
  type AllowEntry,
  type Block,
  type CalendarQuota,
  costIn,
  type Override,
  type PolicySource,
  type Rule,
  type RuleLimit,
  type Unit,
} from './policy';
import type { IndexedPolicy } from './policy-codec';
import { type Period, periodOf, zoneNamed } from './quota/calendar';
import { type GroupOf, otherRoutes, routeGroups } from './route-groups';

export interface LimitNow {
  readonly compiled: Compiled;
  /** Of quotas. */
  readonly period?: Period;
}

export interface CompiledRule {
  readonly rule: Rule;
  /** The same list for all rules of a policy that count by the same. */
  readonly by: Rule['by'];
  readonly unit: Unit;
  readonly strictness: 'hard' | 'soft' | 'watched';
  readonly isAbout: (dimensions: Dimensions) => boolean;
  /** What its limit is named by in the store. */
  readonly keyName: string;
  readonly modelOf: (dimensions: Dimensions) => CostModel;
  readonly limitAt: (now: number, timeZone: string) => LimitNow;
}

/** A rule whose numbers change goes on with what is used; one whose counts would mean something else begins anew. */
const keyNameOf = (namespace: string, { name, limit }: Rule): string => {
  const isWindowed = limit.algorithm === 'fixed-window' || limit.algorithm === 'sliding-counter';
  const meaning = limit.algorithm === 'quota' ? limit.per : isWindowed ? limit.periodMilliseconds : '';
  return JSON.stringify([namespace, name, limit.algorithm, meaning]);
};

const quotaAt = (name: string, quota: CalendarQuota, strictness: Rule['strictness']): CompiledRule['limitAt'] => {
  const known = new Map<string, Required<LimitNow>>();
  return (now, ofTenant) => {
    const timeZone = zoneNamed(quota.timeZone ?? ofTenant) ?? 'UTC';
    const before = known.get(timeZone);
    if (before !== undefined && before.period.startsAt <= now && now < before.period.endsAt) return before;
    const period = periodOf(now, quota.per, timeZone);
    const { limit } = quota;
    const found = { compiled: compile({ algorithm: 'quota', name, limit, ...period }, strictness), period };
    known.set(timeZone, found);
    return found;
  };
};

const limitAt = (name: string, limit: RuleLimit, strictness: Rule['strictness']): CompiledRule['limitAt'] => {
  if (limit.algorithm === 'quota') return quotaAt(name, limit, strictness);
  const now = { compiled: compile({ ...limit, name }, strictness) };
  return () => now;
};

const compiledRule = (namespace: string) => {
  const known = new Map<string, Rule['by']>();
  return (rule: Rule): CompiledRule => {
    const by = known.get(rule.by.join()) ?? rule.by;
    known.set(by.join(), by);
    const { limit, when, strictness = 'hard' } = rule;
    const cost = costIn(rule);
    const keyName = keyNameOf(namespace, rule);
    return {
      rule,
      by,
      unit: cost.unit,
      strictness,
      isAbout: when === undefined ? () => true : matcher(when),
      keyName,
      modelOf: costModels(cost),
      limitAt: limitAt(keyName, limit, strictness),
    };
  };
};

export interface CompiledPolicy {
  readonly version: string;
  /** With what the policy's own route groups make of it. */
  readonly routed: (dimensions: Dimensions, target: string | undefined) => Dimensions;
  readonly blocks: Matching<Block>;
  readonly allow: Matching<AllowEntry>;
  /** Throws `UnknownPlan`. */
  readonly rulesFor: (dimensions: Dimensions, plan: string | undefined) => readonly CompiledRule[];
}

/** Where the policy has groups, there are no others: nobody makes keys by naming some. */
const routing = ({ routeGroups: groups = [] }: PolicySource): CompiledPolicy['routed'] => {
  const groupOf: GroupOf = routeGroups(groups);
  const names = new Set(groups.map(({ name }) => name));
  return (dimensions, target) => {
    const { route, method = 'GET' } = dimensions;
    if (groups.length === 0 || (route !== undefined && names.has(route))) return dimensions;
    const found = route === undefined && target !== undefined ? groupOf(target, method) : otherRoutes;
    return { ...dimensions, route: found };
  };
};

interface CompiledOverride extends Pick<Override, 'match'> {
  readonly rules: readonly CompiledRule[];
}

/** The first override that has a rule for this takes the place of its namesake; where it is not about this, that one stays. */
const overridden = (
  base: readonly CompiledRule[],
  overrides: readonly CompiledOverride[],
  dimensions: Dimensions,
): readonly CompiledRule[] => {
  if (overrides.length === 0) return base.filter((rule) => rule.isAbout(dimensions));
  const chosen = new Map<string, CompiledRule>();
  for (const rule of base) if (rule.isAbout(dimensions)) chosen.set(rule.rule.name, rule);
  const taken = new Set<string>();
  for (const rule of overrides.flatMap(({ rules }) => rules)) {
    if (taken.has(rule.rule.name) || !rule.isAbout(dimensions)) continue;
    taken.add(rule.rule.name);
    chosen.set(rule.rule.name, rule);
  }
  return [...chosen.values()];
};

/** A request names a plan that the policy does not have. */
export class UnknownPlan extends TypeError {
  override readonly name = 'UnknownPlan';
}

/** Where a policy has no plans, whichever a request names says nothing. */
export const plansOf = ({ plans = {}, unknownPlan }: PolicySource): ((plan: string) => boolean) => {
  const names = new Set(Object.keys(plans));
  return (plan) => unknownPlan !== undefined || names.size === 0 || names.has(plan);
};

/** Rules of plans and overrides are compiled when a request first meets them: there may be any number of them. */
export const compilePolicy = ({ policy, indexes }: IndexedPolicy, namespace: string): CompiledPolicy => {
  const { version, defaults: written, plans = {}, unknownPlan = '', overrides = [], allow = [], blocks = [] } = policy;
  const compiled = compiledRule(namespace);
  const defaults = written.map(compiled);
  const [planned, ofPlans] = [new Map(Object.entries(plans)), new Map<readonly Rule[], readonly CompiledRule[]>()];
  const overridesOf = matching(
    mapped(overrides, ({ match, rules }) => ({ match, rules: rules.map(compiled) })),
    indexes.overrides,
  );
  const rulesOf = (plan: string | undefined): readonly CompiledRule[] => {
    if (plan === undefined || planned.size === 0) return defaults;
    const rules = planned.get(plan) ?? planned.get(unknownPlan);
    if (rules === undefined) throw new UnknownPlan('The policy has no such plan.');
    const ready = ofPlans.get(rules) ?? rules.map(compiled);
    ofPlans.set(rules, ready);
    return ready;
  };
  return {
    version,
    routed: routing(policy),
    blocks: matching(blocks, indexes.blocks),
    allow: matching(allow, indexes.allow),
    rulesFor: (dimensions, plan) => overridden(rulesOf(plan), overridesOf(dimensions), dimensions),
  };
};
