import assert from 'node:assert/strict';
import fc from 'fast-check';
import { alert } from '../../../domain/identity/detection/alert/decider';
import type { Alert, AlertId } from '../../../domain/identity/detection/alert/events';
import { episodeSeconds } from '../../../domain/identity/detection/detector';
import { detectionPolicy, tenantDetectionOf } from '../../../domain/identity/detection/policy/decider';
import { type DetectionPolicyEvent, ExpectedRuntime } from '../../../domain/identity/detection/policy/events';
import { DetectionRuleName, defaultSettings, RuleSettings } from '../../../domain/identity/detection/rule-names';
import { fold } from '../../../domain/kernel/decider';
import { given } from '../../kernel/domain/given-when-then';
import { survivesJson, twiceIsOnce, valuesOf } from '../../support/domain/arbitrary';
import { principalId } from '../examples';
import { instantAt } from './decisions';

const rule = 'scope-escalation';
const stricter: RuleSettings = { ...defaultSettings[rule], threshold: 2 };
const set = (settings: RuleSettings, name: 'scope-escalation' | 'token-replay' = rule) =>
  ({ type: 'SetDetectionRule', rule: name, settings }) as const;
const wasSet = (settings: RuleSettings): DetectionPolicyEvent => ({
  type: 'DetectionRuleSet',
  data: { rule, settings },
});
const runtime = (...workloads: readonly string[]) => ({ principalId, workloads: [...workloads], clusters: [] });

describe('the detection policy of a tenant', () => {
  it('sets a rule', () => given(detectionPolicy).when(set(stricter)).then(wasSet(stricter)));
  it('is the same when it is set again', () => {
    given(detectionPolicy, wasSet(stricter)).when(set(stricter)).thenNothing();
    given(detectionPolicy).when(set(defaultSettings[rule])).thenNothing();
  });
  it('records what finds less', () => {
    const off = { ...stricter, isOn: false, threshold: 9, windowSeconds: 60 };
    given(detectionPolicy, wasSet(stricter))
      .when(set(off))
      .then(
        { type: 'DetectionRuleLoosened', data: { rule, respects: ['isOn', 'threshold', 'windowSeconds'] } },
        wasSet(off),
      );
  });
  it('bounds what a rule keeps', () =>
    given(detectionPolicy)
      .when(set({ ...defaultSettings['token-replay'], threshold: 51 }, 'token-replay'))
      .rejects('threshold-too-high'));
  it('names where a principal runs, until it names nothing', () => {
    const named: DetectionPolicyEvent = { type: 'ExpectedRuntimeSet', data: runtime('repo:a/b') };
    given(detectionPolicy)
      .when({ type: 'SetExpectedRuntime', ...runtime('repo:a/b') })
      .then(named);
    given(detectionPolicy, named)
      .when({ type: 'SetExpectedRuntime', ...runtime('repo:a/b') })
      .thenNothing();
    const none: DetectionPolicyEvent = { type: 'ExpectedRuntimeSet', data: runtime() };
    given(detectionPolicy, named)
      .when({ type: 'SetExpectedRuntime', ...runtime() })
      .then(none);
    given(detectionPolicy)
      .when({ type: 'SetExpectedRuntime', ...runtime() })
      .thenNothing();
    given(detectionPolicy)
      .when({ type: 'SetExpectedRuntime', ...runtime('a', 'a') })
      .rejects('runtime-repeated');
    assert.deepEqual(tenantDetectionOf(fold(detectionPolicy, detectionPolicy.initial, [named])).runtimes, [named.data]);
  });
  it('survives JSON', () => survivesJson(detectionPolicy.family));
  it('does nothing twice', () =>
    twiceIsOnce(
      detectionPolicy,
      fc.oneof(
        fc.record({
          type: fc.constant('SetDetectionRule' as const),
          rule: valuesOf(DetectionRuleName),
          settings: valuesOf(RuleSettings),
        }),
        valuesOf(ExpectedRuntime).map((fields) => ({ type: 'SetExpectedRuntime' as const, ...fields })),
      ),
    ));
});

describe('an alert', () => {
  const at = (seconds: number): Alert => ({
    alertId: `a-${seconds}` as AlertId,
    rule,
    severity: 'SEV-3',
    principalId,
    principalType: 'PIPELINE',
    jti: 'token-1',
    decidedAt: instantAt(seconds),
    audience: 'septet',
    reason: 'insufficient_scope',
    workloadId: null,
    clusterId: null,
    count: 5,
    threshold: 5,
    windowSeconds: 600,
    opensIncident: false,
  });
  const raise = (seconds: number) => ({ type: 'RaiseAlert', alert: at(seconds) }) as const;
  const raised = (seconds: number) => ({ type: 'AlertRaised', data: at(seconds) }) as const;
  it('is raised once for an episode', () => {
    given(alert).when(raise(0)).then(raised(0));
    given(alert, raised(0))
      .when(raise(episodeSeconds - 1))
      .thenNothing();
    given(alert, raised(0)).when(raise(episodeSeconds)).then(raised(episodeSeconds));
  });
  it('survives JSON', () => survivesJson(alert.family));
});
