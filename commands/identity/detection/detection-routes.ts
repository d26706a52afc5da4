/** What administrators set of detection: rules, and where pipelines are expected to run. */
import { isLeft, left, right } from 'fp-ts/Either';
import { detectionPolicy } from '../../../domain/identity/detection/policy/decider';
import { detectionPolicyStream, ExpectedRuntime } from '../../../domain/identity/detection/policy/events';
import { DetectionRuleName, RuleSettings } from '../../../domain/identity/detection/rule-names';
import { fieldsOf, record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { problemOf } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { loadPrincipal } from '../principals/load-principal';
import { detectionProblems, principalProblems } from '../problems';

const ruleAnswer = record('DetectionRuleAnswer', { rule: DetectionRuleName });

export const setDetectionRuleRoute = commandRoute<CommandDeps>()({
  method: 'put',
  path: '/v1/security/detection/rules/:rule',
  operation: 'setDetectionRule',
  example: { isOn: true, threshold: 5, windowSeconds: 600, opensIncident: false },
  summary: 'Set when a rule of detection is an alert',
  description:
    'From the next decisions on. A rule that finds less than before is recorded as loosened, with a severity. `opensIncident`: each alert opens an incident.',
  scopes: ['security:write'],
  danger: true,
  params: record('DetectionRulePath', { rule: DetectionRuleName }),
  body: RuleSettings,
  answer: ruleAnswer,
  decider: detectionPolicy,
  problems: detectionProblems,
  prepare: ({ params: { rule }, body: settings, tenantId }) =>
    right({
      stream: detectionPolicyStream(tenantId),
      command: { type: 'SetDetectionRule' as const, rule, settings },
      answer: { rule },
    }),
});

const runtimeProblems = { ...detectionProblems, 'principal-unknown': principalProblems['principal-unknown'] };

const { workloads, clusters } = fieldsOf(ExpectedRuntime);

export const setExpectedRuntimeRoute = commandRoute<CommandDeps>()({
  method: 'put',
  path: '/v1/security/detection/runtimes/:principalId',
  operation: 'setExpectedRuntime',
  example: { workloads: ['repo:octo-org/octo-repo'], clusters: [] },
  summary: 'Set where a pipeline or an agent is expected to run',
  description:
    'Its tokens elsewhere are an alert of the rule `unexpected-runtime`. `workloads` and `clusters` are compared with what its issuer attests, whole or by ' +
    'their first segments; no workloads: any. Neither: it may run anywhere.',
  scopes: ['security:write'],
  danger: true,
  params: record('ExpectedRuntimePath', { principalId: PrincipalId }),
  body: record('ExpectedRuntimeSettings', { workloads, clusters }),
  answer: record('ExpectedRuntimeAnswer', { principalId: PrincipalId }),
  decider: detectionPolicy,
  problems: runtimeProblems,
  prepare: async ({ params: { principalId }, body, tenantId }, deps) => {
    const principal = await loadPrincipal(deps, { tenantId, principalId });
    if (isLeft(principal)) return left(problemOf(principal.left, {}));
    if (principal.right.kind === 'none') {
      const unknown = { kind: 'rejection', code: 'principal-unknown', detail: 'There is no such principal.' } as const;
      return left(problemOf(unknown, principalProblems));
    }
    return right({
      stream: detectionPolicyStream(tenantId),
      command: { type: 'SetExpectedRuntime' as const, principalId, ...body },
      answer: { principalId },
    });
  },
});
