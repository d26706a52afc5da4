/** POST /v1/security/detection/back-test: how often a rule would have fired on stored decisions, and on what. */
import { isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { createDetector } from '../../domain/identity/detection/detector';
import { ExpectedRuntime } from '../../domain/identity/detection/policy/events';
import {
  DetectionRuleName,
  defaultSettings,
  detectionRuleNames,
  RuleSettings,
} from '../../domain/identity/detection/rule-names';
import { AuthEvent } from '../../domain/identity/protocol/auth-event';
import { Severity } from '../../domain/identity/protocol/severity';
import { fieldsOf, Instant, integer, listOf, record } from '../../domain/kernel/codec';
import type { AuthEventReader } from '../../infra/ports/identity/auth-events';
import { commonProblems, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';

const maxDecisions = 20_000;
const pageSize = 1_000;
const maxListed = 100;

const BackTest = record(
  'DetectionBackTest',
  { rule: DetectionRuleName, settings: record('BackTestSettings', fieldsOf(RuleSettings)), from: Instant, to: Instant },
  { runtimes: listOf('BackTestRuntimes', record('BackTestRuntime', fieldsOf(ExpectedRuntime)), 100) },
);

const BackTestAlert = record('BackTestAlert', {
  severity: Severity,
  count: integer(0),
  decision: AuthEvent,
});

const BackTestAnswer = record('BackTestAnswer', {
  decisions: integer(0),
  /** Whether those are all of the time; otherwise the newest. */
  isComplete: t.boolean,
  alerts: integer(0),
  /** The newest first. */
  items: t.array(BackTestAlert, 'BackTestAlerts'),
});

interface BackTestDeps {
  readonly authEvents: Pick<AuthEventReader, 'find'>;
}

const off = Object.fromEntries(detectionRuleNames.map((rule) => [rule, { ...defaultSettings[rule], isOn: false }])) as {
  readonly [rule in DetectionRuleName]: RuleSettings;
};

/** The newest first. */
const readDecisions = async (
  { authEvents }: BackTestDeps,
  tenantId: string,
  range: Pick<t.TypeOf<typeof BackTest>, 'from' | 'to'>,
) => {
  const decisions: AuthEvent[] = [];
  while (decisions.length < maxDecisions) {
    const page = await authEvents.find(tenantId, { ...range, after: decisions.at(-1), limit: pageSize });
    if (isLeft(page)) return page;
    decisions.push(...page.right);
    if (page.right.length < pageSize) return right({ decisions, isComplete: true });
  }
  return right({ decisions, isComplete: false });
};

export const backTestRule = route<BackTestDeps>()({
  method: 'post',
  path: '/v1/security/detection/back-test',
  question: true,
  sensitive: false,
  operation: 'backTestDetectionRule',
  summary: 'Test a rule of detection against stored decisions',
  description:
    `How often the rule would have been an alert with these settings, and on which decisions: the newest ${maxDecisions} of the time at most. Changes ` +
    'nothing. `runtimes`: for `unexpected-runtime`.',
  access: { scopes: ['security:read'] },
  body: BackTest,
  answers: { 200: { description: `What it would have found; the newest ${maxListed} alerts.`, body: BackTestAnswer } },
  problems: { 'service-unavailable': commonProblems['service-unavailable'] },
  handle: async (deps, { identity: { tenantId }, body: { rule, settings, from, to, runtimes = [] } }) => {
    const read = await readDecisions(deps, tenantId, { from, to });
    if (isLeft(read)) return problemOf(read.left, {});
    const { decisions, isComplete } = read.right;
    const detector = createDetector();
    const detection = { settings: { ...off, [rule]: { ...settings, isOn: true } }, runtimes };
    const findings = decisions.toReversed().flatMap((event) => detector.observe(event, detection));
    const items = findings.toReversed().slice(0, maxListed);
    return {
      status: 200,
      body: {
        decisions: decisions.length,
        isComplete,
        alerts: findings.length,
        items: items.map(({ severity, count, event }) => ({ severity, count, decision: event })),
      },
    };
  },
});
