/** Which rule answers a credential, and why the others do not. */
import type { TrustRuleId, WorkloadIssuerId } from '../ids';
import { missingScopes } from '../scopes';
import type { Attributes } from './attributes';
import type { TrustCondition, TrustRule } from './events';

export interface ExchangeRequest {
  /** Of the verified credential. */
  readonly issuerId: WorkloadIssuerId;
  readonly attributes: Attributes;
  readonly audience: string;
  /** None: all that the rule gives. */
  readonly scopes: readonly string[];
}

const isPath = (segments: readonly string[]): boolean =>
  segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..');

/** The trust domain of a SPIFFE ID is its first segment. */
const segmentsOf = (value: string): readonly string[] => value.replace(/^spiffe:\/\//, '').split('/');

/** By whole segments: `octo/app` is below `octo`, `octopus/app` is not. */
const isAtOrBelow = (actual: string, path: string): boolean => {
  const [segments, prefix] = [segmentsOf(actual), segmentsOf(path)];
  return isPath(segments) && prefix.every((segment, index) => segments[index] === segment);
};

export const isWholePath = (value: string): boolean => isPath(segmentsOf(value));

export const isConditionMet = ({ attribute, comparison, value }: TrustCondition, attributes: Attributes): boolean => {
  const actual = attributes[attribute];
  if (actual === undefined) return false;
  return comparison === 'exact' ? actual === value : isAtOrBelow(actual, value);
};

export interface RuleFindings {
  readonly isOfIssuer: boolean;
  readonly isForAudience: boolean;
  /** Requested, and not given by the rule. */
  readonly missingScopes: readonly string[];
  readonly unmet: readonly TrustCondition[];
}

export const examineRule = (rule: TrustRule, request: ExchangeRequest): RuleFindings => ({
  isOfIssuer: rule.issuerId === request.issuerId,
  isForAudience: rule.audience === request.audience,
  missingScopes: missingScopes(request.scopes, rule.scopes),
  unmet: rule.conditions.filter((condition) => !isConditionMet(condition, request.attributes)),
});

export const isAnswer = ({ isOfIssuer, isForAudience, missingScopes: missing, unmet }: RuleFindings): boolean =>
  isOfIssuer && isForAudience && missing.length === 0 && unmet.length === 0;

/** The oldest rule that answers. */
export const findAnsweringRule = (
  rules: ReadonlyMap<TrustRuleId, TrustRule>,
  request: ExchangeRequest,
): { readonly ruleId: TrustRuleId; readonly rule: TrustRule } | undefined => {
  for (const [ruleId, rule] of rules) if (isAnswer(examineRule(rule, request))) return { ruleId, rule };
  return undefined;
};
