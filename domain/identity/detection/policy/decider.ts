/** Detection policy of a tenant: settings of rules that differ from the defaults, and expected runtimes. */
import { type Either, right } from 'fp-ts/Either';
import type { Decider } from '../../../kernel/decider';
import type { PrincipalId } from '../../../kernel/ids';
import { type Rejection, reject } from '../../../kernel/rejection';
import type { TenantDetection } from '../detector';
import { comparingRules, type DetectionRuleName, defaultSettings, maxDistinct, type RuleSettings } from '../rule-names';
import { type DetectionLoosening, type DetectionPolicyEvent, detectionPolicies, type ExpectedRuntime } from './events';

export interface DetectionPolicy {
  readonly rules: ReadonlyMap<DetectionRuleName, RuleSettings>;
  readonly runtimes: ReadonlyMap<PrincipalId, ExpectedRuntime>;
}

export interface SetDetectionRule {
  readonly type: 'SetDetectionRule';
  readonly rule: DetectionRuleName;
  readonly settings: RuleSettings;
}

export interface SetExpectedRuntime extends ExpectedRuntime {
  readonly type: 'SetExpectedRuntime';
}

export type DetectionPolicyCommand = SetDetectionRule | SetExpectedRuntime;
export type DetectionPolicyRejection = 'threshold-too-high' | 'too-many-runtimes' | 'runtime-repeated';

const maxRuntimes = 500;

const settingsOf = (rule: DetectionRuleName, { rules }: DetectionPolicy): RuleSettings =>
  rules.get(rule) ?? defaultSettings[rule];

export const tenantDetectionOf = (policy: DetectionPolicy): TenantDetection => ({
  settings: { ...defaultSettings, ...Object.fromEntries(policy.rules) },
  runtimes: [...policy.runtimes.values()],
});

const loosenedRespects = (before: RuleSettings, next: RuleSettings): DetectionLoosening[] => {
  const isLoosened: { readonly [respect in DetectionLoosening]: boolean } = {
    isOn: before.isOn && !next.isOn,
    threshold: next.threshold > before.threshold,
    windowSeconds: next.windowSeconds < before.windowSeconds,
    opensIncident: before.opensIncident && !next.opensIncident,
  };
  return (Object.keys(isLoosened) as DetectionLoosening[]).filter((respect) => isLoosened[respect]);
};

type Decision = Either<Rejection<DetectionPolicyRejection>, readonly DetectionPolicyEvent[]>;

const isSame = (one: object | undefined, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

const setRule = ({ rule, settings: wanted }: SetDetectionRule, state: DetectionPolicy): Decision => {
  const { isOn, threshold, windowSeconds, opensIncident } = wanted;
  const settings: RuleSettings = { isOn, threshold, windowSeconds, opensIncident };
  if (threshold > maxDistinct && comparingRules.includes(rule))
    return reject(
      'threshold-too-high',
      `The threshold of ${rule} is at most ${maxDistinct}: it keeps what it compares.`,
    );
  const before = settingsOf(rule, state);
  if (isSame(before, settings)) return right([]);
  const respects = loosenedRespects(before, settings);
  return right([
    ...(respects.length === 0 ? [] : [{ type: 'DetectionRuleLoosened' as const, data: { rule, respects } }]),
    { type: 'DetectionRuleSet', data: { rule, settings } },
  ]);
};

const setRuntime = ({ principalId, ...wanted }: SetExpectedRuntime, { runtimes }: DetectionPolicy): Decision => {
  const data: ExpectedRuntime = { principalId, workloads: [...wanted.workloads], clusters: [...wanted.clusters] };
  for (const names of [data.workloads, data.clusters])
    if (new Set(names).size < names.length) return reject('runtime-repeated', 'A workload or cluster is named twice.');
  const isNone = data.workloads.length + data.clusters.length === 0;
  if (isNone ? !runtimes.has(principalId) : isSame(runtimes.get(principalId), data)) return right([]);
  if (!isNone && !runtimes.has(principalId) && runtimes.size >= maxRuntimes)
    return reject('too-many-runtimes', `At most ${maxRuntimes} principals have expected runtimes.`);
  return right([{ type: 'ExpectedRuntimeSet', data }]);
};

const evolve = (state: DetectionPolicy, event: DetectionPolicyEvent): DetectionPolicy => {
  switch (event.type) {
    case 'DetectionRuleSet':
      return { ...state, rules: new Map(state.rules).set(event.data.rule, event.data.settings) };
    case 'DetectionRuleLoosened':
      return state;
    case 'ExpectedRuntimeSet': {
      const runtimes = new Map(state.runtimes);
      const { principalId, workloads, clusters } = event.data;
      if (workloads.length + clusters.length === 0) runtimes.delete(principalId);
      else runtimes.set(principalId, { principalId, workloads, clusters });
      return { ...state, runtimes };
    }
  }
};

export const detectionPolicy: Decider<
  DetectionPolicyCommand,
  DetectionPolicy,
  DetectionPolicyEvent,
  DetectionPolicyRejection
> = {
  family: detectionPolicies,
  initial: { rules: new Map(), runtimes: new Map() },
  evolve,
  decide: (command, state) =>
    command.type === 'SetDetectionRule' ? setRule(command, state) : setRuntime(command, state),
};
