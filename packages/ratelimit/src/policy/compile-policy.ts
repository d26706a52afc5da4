/** Compiles a policy for lookups: the rules of a request, and each rule's limit for the store. */

import { type CostModel, createCostModels } from '../decision/request-cost';
import { findTimeZone, type Period, periodOf } from '../quota/calendar-period';
import { type CompiledLimit, compileLimit } from './compile-limit';
import type { Dimensions } from './dimensions';
import { mapEntries } from './entries';
import { strictnessOf } from './group-strictness';
import { createMatcher, createMatching, type FindMatching } from './match-index';
import type { IndexedPolicy } from './parse-policy';
import {
  type AllowEntry,
  type Block,
  type CalendarQuota,
  costOrDefault,
  type Override,
  type PolicySource,
  type Rule,
  type RuleLimit,
  type Unit,
} from './policy';
import { createRouteGroups, type FindRouteGroup, otherRoutes } from './route-groups';

export interface CurrentLimit {
  readonly compiled: CompiledLimit;
  /** For quotas. */
  readonly period?: Period;
}

export interface CompiledRule {
  readonly rule: Rule;
  /** One shared array per combination of dimensions, so that keys can be reused. */
  readonly by: Rule['by'];
  readonly unit: Unit;
  readonly strictness: 'hard' | 'soft' | 'watched';
  readonly appliesTo: (dimensions: Dimensions) => boolean;
  /** Name of the limit in the store. */
  readonly keyName: string;
  readonly modelOf: (dimensions: Dimensions) => CostModel;
  readonly limitAt: (now: number, timeZone: string) => CurrentLimit;
}

/** A rule keeps its counts when its numbers change; it starts over when they would mean something else. */
const createKeyName = (namespace: string, { name, limit }: Rule): string => {
  const isWindowed = limit.algorithm === 'fixed-window' || limit.algorithm === 'sliding-counter';
  const meaning = limit.algorithm === 'quota' ? limit.per : isWindowed ? limit.periodMilliseconds : '';
  return JSON.stringify([namespace, name, limit.algorithm, meaning]);
};

const createQuotaLookup = (
  name: string,
  quota: CalendarQuota,
  strictness: Rule['strictness'],
): CompiledRule['limitAt'] => {
  const known = new Map<string, Required<CurrentLimit>>();
  return (now, ofTenant) => {
    const timeZone = findTimeZone(quota.timeZone ?? ofTenant) ?? 'UTC';
    const before = known.get(timeZone);
    if (before !== undefined && before.period.startsAt <= now && now < before.period.endsAt) return before;
    const period = periodOf(now, quota.per, timeZone);
    const { limit } = quota;
    const found = { compiled: compileLimit({ algorithm: 'quota', name, limit, ...period }, strictness), period };
    known.set(timeZone, found);
    return found;
  };
};

const createLimitLookup = (name: string, limit: RuleLimit, strictness: Rule['strictness']): CompiledRule['limitAt'] => {
  if (limit.algorithm === 'quota') return createQuotaLookup(name, limit, strictness);
  const now = { compiled: compileLimit({ ...limit, name }, strictness) };
  return () => now;
};

const createRuleCompiler = (namespace: string) => {
  const known = new Map<string, Rule['by']>();
  return (rule: Rule): CompiledRule => {
    const by = known.get(rule.by.join()) ?? rule.by;
    known.set(by.join(), by);
    const { limit, when, strictness = 'hard' } = rule;
    const cost = costOrDefault(rule);
    const keyName = createKeyName(namespace, rule);
    return {
      rule,
      by,
      unit: cost.unit,
      strictness,
      appliesTo: when === undefined ? () => true : createMatcher(when),
      keyName,
      modelOf: createCostModels(cost),
      limitAt: createLimitLookup(keyName, limit, strictness),
    };
  };
};

export interface CompiledPolicy {
  readonly version: string;
  /** Adds the route by the policy's route groups. */
  readonly withRoute: (dimensions: Dimensions, target: string | undefined) => Dimensions;
  readonly blocks: FindMatching<Block>;
  readonly allow: FindMatching<AllowEntry>;
  /** Throws `UnknownPlan`. */
  readonly rulesFor: (dimensions: Dimensions, plan: string | undefined) => readonly CompiledRule[];
}

/** With route groups, other route names are not accepted: callers must not create keys. */
const createRouter = (policy: PolicySource): CompiledPolicy['withRoute'] => {
  const { routeGroups: groups = [] } = policy;
  const groupOf: FindRouteGroup = createRouteGroups(groups, strictnessOf(policy));
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

/** The first override with an applicable rule replaces the rule of the same name; otherwise that rule stays. */
const applyOverrides = (
  base: readonly CompiledRule[],
  overrides: readonly CompiledOverride[],
  dimensions: Dimensions,
): readonly CompiledRule[] => {
  if (overrides.length === 0) return base.filter((rule) => rule.appliesTo(dimensions));
  const chosen = new Map<string, CompiledRule>();
  for (const rule of base) if (rule.appliesTo(dimensions)) chosen.set(rule.rule.name, rule);
  const replaced = new Set<string>();
  for (const rule of overrides.flatMap(({ rules }) => rules)) {
    if (replaced.has(rule.rule.name) || !rule.appliesTo(dimensions)) continue;
    replaced.add(rule.rule.name);
    chosen.set(rule.rule.name, rule);
  }
  return [...chosen.values()];
};

/** The request names a plan that the policy does not have. */
export class UnknownPlan extends TypeError {
  override readonly name = 'UnknownPlan';
}

/** Without plans in the policy, any plan is accepted and ignored. */
export const plansOf = ({ plans = {}, unknownPlan }: PolicySource): ((plan: string) => boolean) => {
  const names = new Set(Object.keys(plans));
  return (plan) => unknownPlan !== undefined || names.size === 0 || names.has(plan);
};

/** Compiles rules of plans and overrides on first use, because there may be many. */
export const compilePolicy = ({ policy, indexes }: IndexedPolicy, namespace: string): CompiledPolicy => {
  const { version, defaults: written, plans = {}, unknownPlan = '', overrides = [], allow = [], blocks = [] } = policy;
  const compiled = createRuleCompiler(namespace);
  const defaults = written.map(compiled);
  const [planned, ofPlans] = [new Map(Object.entries(plans)), new Map<readonly Rule[], readonly CompiledRule[]>()];
  const overridesOf = createMatching(
    mapEntries(overrides, ({ match, rules }) => ({ match, rules: rules.map(compiled) })),
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
    withRoute: createRouter(policy),
    blocks: createMatching(blocks, indexes.blocks),
    allow: createMatching(allow, indexes.allow),
    rulesFor: (dimensions, plan) => applyOverrides(rulesOf(plan), overridesOf(dimensions), dimensions),
  };
};
