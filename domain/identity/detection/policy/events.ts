/** What a tenant sets of detection: its rules, and where its pipelines are expected to run. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { listOf, oneOf, record, text } from '../../../kernel/codec';
import { aggregate } from '../../../kernel/family';
import { PrincipalId, type TenantId } from '../../../kernel/ids';
import { DetectionRuleName, RuleSettings } from '../rule-names';

const RuntimeName = text('RuntimeName', { content: 'address', maxLength: 256, examples: ['repo:octo-org/octo-repo'] });

const runtimeFields = {
  principalId: PrincipalId,
  /** What its issuer attests of the workload, or what that begins with, by whole segments; none: any. */
  workloads: listOf('ExpectedWorkloads', RuntimeName, 20),
  clusters: listOf('ExpectedClusters', RuntimeName, 20),
};

export const ExpectedRuntime = record('ExpectedRuntime', runtimeFields);
export type ExpectedRuntime = TypeOf<typeof ExpectedRuntime>;

const Loosening = oneOf('DetectionLoosening', ['isOn', 'threshold', 'windowSeconds', 'opensIncident']);
export type DetectionLoosening = TypeOf<typeof Loosening>;

export const detectionPolicies = aggregate(
  { context: 'identity', name: 'detectionPolicy' },
  {
    DetectionRuleSet: { v: 1, data: { rule: DetectionRuleName, settings: RuleSettings } },
    /** The rule was loosened in these respects; a separate event for monitoring. */
    DetectionRuleLoosened: { v: 1, data: { rule: DetectionRuleName, respects: t.array(Loosening, 'Respects') } },
    /** Without workloads and clusters: it may run anywhere. */
    ExpectedRuntimeSet: { v: 1, data: runtimeFields },
  },
);
export type DetectionPolicyEvent = typeof detectionPolicies.Event;

/** One per tenant. */
export const detectionPolicyStream = (tenant: TenantId): string => detectionPolicies.stream(tenant, 'policy');
