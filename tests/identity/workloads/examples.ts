/** Issuers, rules and commands that the tests of trust in workloads speak of. */
import type { TrustRuleId, WorkloadIssuerId } from '../../../domain/identity/ids';
import { adminScopes } from '../../../domain/identity/scopes';
import type { ChangeRule, MakeRule, TrustIssuer } from '../../../domain/identity/workload-trust/decider';
import type {
  TrustCondition,
  TrustRule,
  WorkloadIssuer,
  WorkloadTrustEvent,
} from '../../../domain/identity/workload-trust/events';
import { noon, principalId, scope } from '../examples';

export const issuerId = 'issuer-1' as WorkloadIssuerId;
export const ruleId = 'rule-1' as TrustRuleId;

export const github: WorkloadIssuer = {
  name: 'GitHub Actions',
  kind: 'github',
  issuer: 'https://token.actions.githubusercontent.com',
  keysUri: null,
  keys: null,
  claims: [],
};

export const exactly = (attribute: TrustCondition['attribute'], value: string): TrustCondition => ({
  attribute,
  comparison: 'exact',
  value,
});
export const below = (attribute: TrustCondition['attribute'], value: string): TrustCondition => ({
  attribute,
  comparison: 'path',
  value,
});

export const rule: TrustRule = {
  name: 'Deployments of the main branch',
  issuerId,
  conditions: [exactly('repository', 'octo-org/octo-repo'), exactly('branch', 'main')],
  principalId,
  scopes: [scope('principals:read')],
  audience: 'septet',
};

const knownAudiences = ['septet', 'https://files.example'];
export const trustIssuer = (changes: Partial<WorkloadIssuer> = {}, id = issuerId): TrustIssuer => ({
  type: 'TrustIssuer',
  issuerId: id,
  issuer: { ...github, ...changes },
  allowsPlainHttp: false,
  at: noon,
});
export const makeRule = (changes: Partial<TrustRule> = {}, more: Partial<MakeRule> = {}): MakeRule => ({
  type: 'MakeRule',
  ruleId,
  rule: { ...rule, ...changes },
  held: adminScopes,
  knownAudiences,
  at: noon,
  ...more,
});
export const changeRule = (changes: Partial<TrustRule> = {}, more: Partial<ChangeRule> = {}): ChangeRule => ({
  type: 'ChangeRule',
  ruleId,
  rule: { ...rule, ...changes },
  held: adminScopes,
  knownAudiences,
  ...more,
});

export const trusted = (changes: Partial<WorkloadIssuer> = {}, id = issuerId): WorkloadTrustEvent => ({
  type: 'WorkloadIssuerTrusted',
  data: { issuerId: id, createdAt: noon, ...github, ...changes },
});
export const made = (changes: Partial<TrustRule> = {}, id = ruleId): WorkloadTrustEvent => ({
  type: 'TrustRuleMade',
  data: { ruleId: id, createdAt: noon, ...rule, ...changes },
});
