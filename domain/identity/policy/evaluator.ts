/**
 * Decides a request by a document: DENY wins over STEP_UP_REQUIRED, which wins over ALLOW. What no rule allows is refused where the document
 * covers it, and passes where it does not.
 */
import { type Check, checksOf, checksOfCover, membersOf } from './checks';
import type { PolicyDocument, PolicyEffect, PolicyRequirements, PolicyRule } from './document';
import type { PolicyRequest } from './request';
import { createRuleIndex } from './rule-index';

export interface PolicyDecision {
  readonly effect: PolicyEffect;
  /** The first rule of the effect. Null: none; `cause` is the reason. */
  readonly ruleId: string | null;
  readonly cause: 'rule' | 'not-allowed' | 'not-covered' | 'ambiguous-path';
  /** Of all matching ALLOW rules together. Absent fields require nothing. */
  readonly requires: PolicyRequirements;
}

export interface CompiledPolicy {
  readonly decide: (request: PolicyRequest) => PolicyDecision;
}

interface Entry {
  readonly rule: PolicyRule;
  readonly order: number;
  readonly checks: readonly Check[];
}

type Lists = readonly (readonly Entry[])[];

const matches = ({ checks }: Pick<Entry, 'checks'>, request: PolicyRequest): boolean => {
  for (const { holds } of checks) if (!holds(request)) return false;
  return true;
};

/** The matching rule that stands first in the document. */
const firstMatch = (lists: Lists, request: PolicyRequest): Entry | undefined => {
  let first: Entry | undefined;
  for (const list of lists)
    for (const entry of list) {
      if (first !== undefined && entry.order >= first.order) break;
      if (matches(entry, request)) first = entry;
    }
  return first;
};

const fewest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : Math.min(one, other ?? one);

/** Both hold. */
const together = (one: PolicyRequirements, other: PolicyRequirements): PolicyRequirements => {
  const maxAgeSeconds = fewest(one.maxAgeSeconds, other.maxAgeSeconds);
  return {
    ...(maxAgeSeconds === undefined ? {} : { maxAgeSeconds }),
    ...(one.multiFactor === true || other.multiFactor === true ? { multiFactor: true } : {}),
    ...(one.introspection === true || other.introspection === true ? { introspection: true } : {}),
  };
};

const requirementsOf = (lists: Lists, request: PolicyRequest): PolicyRequirements => {
  let all: PolicyRequirements = {};
  for (const list of lists)
    for (const entry of list)
      if (entry.rule.requires !== undefined && matches(entry, request)) all = together(all, entry.rule.requires);
  return all;
};

const nothing: PolicyRequirements = {};

export const compilePolicy = (document: PolicyDocument): CompiledPolicy => {
  const members = membersOf(document);
  const entries = document.rules.map((rule, order) => ({ rule, order, checks: checksOf(rule, members) }));
  const covers = document.covers.map((cover) => ({ checks: checksOfCover(cover) }));
  const indexOf = (isOfKind: (rule: PolicyRule) => boolean) =>
    createRuleIndex(entries.filter(({ rule }) => isOfKind(rule)));
  const denying = indexOf(({ effect }) => effect === 'DENY');
  const approving = indexOf(({ effect }) => effect === 'STEP_UP_REQUIRED');
  const allowing = indexOf(({ effect }) => effect === 'ALLOW');
  const requiring = indexOf(({ effect, requires }) => effect === 'ALLOW' && requires !== undefined);
  const labelsOf = new Map<string, string[]>();
  for (const [label, principals] of members)
    for (const principalId of principals) {
      const labels = labelsOf.get(principalId);
      if (labels === undefined) labelsOf.set(principalId, [label]);
      else labels.push(label);
    }
  return {
    decide: (request) => {
      if (request.segments === undefined)
        return { effect: 'DENY', ruleId: null, cause: 'ambiguous-path', requires: nothing };
      const labels = labelsOf.get(request.principalId) ?? [];
      const denied = firstMatch(denying.find(request, labels), request);
      if (denied !== undefined) return { effect: 'DENY', ruleId: denied.rule.ruleId, cause: 'rule', requires: nothing };
      const requires = requirementsOf(requiring.find(request, labels), request);
      const deciding =
        firstMatch(approving.find(request, labels), request) ?? firstMatch(allowing.find(request, labels), request);
      if (deciding !== undefined)
        return { effect: deciding.rule.effect, ruleId: deciding.rule.ruleId, cause: 'rule', requires };
      return covers.some((cover) => matches(cover, request))
        ? { effect: 'DENY', ruleId: null, cause: 'not-allowed', requires: nothing }
        : { effect: 'ALLOW', ruleId: null, cause: 'not-covered', requires: nothing };
    },
  };
};

/** What an allowed request lacks: the sign-in is too old, or was with one factor. Undefined: nothing. */
export const missingAuthentication = (
  { maxAgeSeconds, multiFactor = false }: PolicyRequirements,
  request: Pick<PolicyRequest, 'at' | 'authenticatedAt' | 'multiFactor'>,
): { readonly maxAgeSeconds?: number; readonly multiFactor: boolean } | undefined => {
  const { at, authenticatedAt } = request;
  const isOld =
    maxAgeSeconds !== undefined && (authenticatedAt === undefined || at - authenticatedAt > maxAgeSeconds * 1_000);
  const isWeak = multiFactor && !request.multiFactor;
  if (!isOld && !isWeak) return undefined;
  return { ...(maxAgeSeconds === undefined ? {} : { maxAgeSeconds }), multiFactor };
};
