/** Why a document decides a request as it does: administrators may see the rules. */
import { checksOf, checksOfCover, membersOf } from './checks';
import type { PolicyDocument, PolicyEffect } from './document';
import { compilePolicy, missingAuthentication, type PolicyDecision } from './evaluator';
import type { PolicyRequest } from './request';

interface RuleFinding {
  readonly ruleId: string;
  readonly effect: PolicyEffect;
  readonly isMatch: boolean;
  /** Pointers within the rule, of the fields that do not match. */
  readonly unmet: readonly string[];
}

export interface PolicyExplanation extends PolicyDecision {
  /** The request is allowed, and refused until the person signs in again. */
  readonly needsSignIn: boolean;
  /** Numbers of the covers that match, from 0. */
  readonly covers: readonly number[];
  readonly rules: readonly RuleFinding[];
}

export const explainPolicy = (document: PolicyDocument, request: PolicyRequest): PolicyExplanation => {
  const members = membersOf(document);
  const decision = compilePolicy(document).decide(request);
  const unmetOf = (checks: ReturnType<typeof checksOf>) =>
    checks.filter(({ holds }) => !holds(request)).map(({ field }) => field);
  return {
    ...decision,
    needsSignIn: decision.effect === 'ALLOW' && missingAuthentication(decision.requires, request) !== undefined,
    covers: document.covers.flatMap((cover, index) => (unmetOf(checksOfCover(cover)).length === 0 ? [index] : [])),
    rules: document.rules.map((rule) => {
      const unmet = unmetOf(checksOf(rule, members));
      return { ruleId: rule.ruleId, effect: rule.effect, isMatch: unmet.length === 0, unmet };
    }),
  };
};
