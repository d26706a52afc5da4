/** GET /v1/security/detection: alerts, rules as they apply, and expected runtimes. */
import * as t from 'io-ts';
import { AlertId } from '../../domain/identity/detection/alert/events';
import {
  DetectionRuleName,
  defaultSettings,
  detectionRuleNames,
  RuleSettings,
} from '../../domain/identity/detection/rule-names';
import { fieldsOf, Instant, record } from '../../domain/kernel/codec';
import { commonProblems } from '../../infra/server/http/problem';
import { type Answer, route } from '../../infra/server/http/routing/route';
import {
  AlertRow,
  alertsView,
  type DetectionRuleRow,
  detectionRulesView,
  ExpectedRuntimeRow,
  expectedRuntimesView,
} from '../../projections/identity/detection/view';
import { definedFields } from '../kernel/defined-fields';
import { minPosition, oneRoute, pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { type QueryDeps, queryPage } from '../kernel/row-queries';

const scopes = ['security:read'];

const alertFields = answerFields(AlertRow);
const KnownAlert = record('KnownAlert', alertFields);
const showAlert = toResponseOf(KnownAlert);

export const listAlerts = pageRoute({
  path: '/v1/security/detection/alerts',
  operation: 'listAlerts',
  summary: 'List alerts of detection, newest first',
  scopes,
  params: record('NoParams', {}),
  item: KnownAlert,
  view: alertsView,
  filters: {
    rule: alertFields.rule,
    severity: alertFields.severity,
    principalId: alertFields.principalId,
    from: Instant,
    to: Instant,
  },
  order: [
    { field: 'decidedAt', direction: 'desc' },
    { field: 'alertId', direction: 'desc' },
  ],
  rows: (_params, { rule, severity, principalId, from, to }) => ({
    where: definedFields({ rule, severity, principalId }),
    ...(from === undefined && to === undefined
      ? {}
      : { between: { field: 'decidedAt' as const, ...definedFields({ from, to }) } }),
  }),
  show: showAlert,
});

export const getAlert = oneRoute({
  path: '/v1/security/detection/alerts/:alertId',
  operation: 'getAlert',
  summary: 'Get an alert of detection',
  scopes,
  params: record('KnownAlertPath', { alertId: AlertId }),
  item: KnownAlert,
  query: (key) => ({ view: alertsView, key, missing: 'There is no such alert.', show: showAlert }),
});

export const listExpectedRuntimes = pageRoute({
  path: '/v1/security/detection/runtimes',
  operation: 'listExpectedRuntimes',
  summary: 'List where principals are expected to run',
  scopes,
  params: record('NoParams', {}),
  item: record('KnownExpectedRuntime', answerFields(ExpectedRuntimeRow)),
  view: expectedRuntimesView,
  filters: {},
  order: [{ field: 'principalId', direction: 'asc' }],
  rows: () => ({ where: {} }),
  show: toResponseOf(record('KnownExpectedRuntime', answerFields(ExpectedRuntimeRow))),
});

const KnownSettings = record('KnownDetectionRuleSettings', fieldsOf(RuleSettings));

const KnownDetectionRule = record('KnownDetectionRule', {
  rule: DetectionRuleName,
  settings: KnownSettings,
  defaults: KnownSettings,
});
const DetectionRules = record('DetectionRules', { items: t.array(KnownDetectionRule, 'KnownDetectionRules') });

const settingsOf = ({ isOn, threshold, windowSeconds, opensIncident }: DetectionRuleRow): RuleSettings => ({
  isOn,
  threshold,
  windowSeconds,
  opensIncident,
});

const rulesOf = (rows: readonly DetectionRuleRow[]) => {
  const set = new Map(rows.map((row) => [row.rule, settingsOf(row)]));
  return detectionRuleNames.map((rule) => ({
    rule,
    settings: set.get(rule) ?? defaultSettings[rule],
    defaults: defaultSettings[rule],
  }));
};

const ruleQuery = {
  operation: 'listDetectionRules',
  view: detectionRulesView,
  request: { where: {}, order: [{ field: 'rule', direction: 'asc' }] },
  limit: 100,
  cursor: undefined,
  show: (row: DetectionRuleRow) => row,
} as const;

export const listDetectionRules = route<QueryDeps>()({
  method: 'get',
  path: '/v1/security/detection/rules',
  operation: ruleQuery.operation,
  summary: 'List the rules of detection with their settings',
  access: { scopes },
  headers: [minPosition],
  answers: { 200: { description: 'All rules.', body: DetectionRules, headers: ['Position'] } },
  problems: {
    'not-yet-visible': commonProblems['not-yet-visible'],
    'view-store-unavailable': commonProblems['view-store-unavailable'],
  },
  handle: async (reading, request): Promise<Answer> => {
    const answer = await queryPage(reading, ruleQuery, request);
    if (!('body' in answer)) return answer;
    return {
      ...answer,
      body: { items: rulesOf((answer.body as { readonly items: readonly DetectionRuleRow[] }).items) },
    };
  },
});
