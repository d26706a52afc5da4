/** GET /v1/workload-issuers and /v1/trust-rules: which workloads a tenant trusts, and what they get. */
import { record } from '../../domain/kernel/codec';
import { TrustRuleRow, trustRulesView } from '../../projections/identity/trust-rules/view';
import { WorkloadIssuerRow, workloadIssuersView } from '../../projections/identity/workload-issuers/view';
import { definedFields } from '../kernel/defined-fields';
import { oneRoute, pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import * as wire from './wire';

const scopes = ['security:read'];

const issuerFields = answerFields(WorkloadIssuerRow);
const KnownWorkloadIssuer = record('KnownWorkloadIssuer', { ...issuerFields, reason: wire.EndReason });
const showIssuer = toResponseOf(KnownWorkloadIssuer);

export const listWorkloadIssuers = pageRoute({
  path: '/v1/workload-issuers',
  operation: 'listWorkloadIssuers',
  summary: "List the trusted issuers of workloads' credentials, newest first",
  scopes,
  params: record('NoParams', {}),
  item: KnownWorkloadIssuer,
  view: workloadIssuersView,
  filters: { status: issuerFields.status },
  order: [
    { field: 'createdAt', direction: 'desc' },
    { field: 'issuerId', direction: 'desc' },
  ],
  rows: (_params, { status }) => ({ where: definedFields({ status }) }),
  show: showIssuer,
});

export const getWorkloadIssuer = oneRoute({
  path: '/v1/workload-issuers/:issuerId',
  operation: 'getWorkloadIssuer',
  summary: "Get an issuer of workloads' credentials",
  scopes,
  params: record('KnownWorkloadIssuerPath', { issuerId: issuerFields.issuerId }),
  item: KnownWorkloadIssuer,
  query: (key) => ({ view: workloadIssuersView, key, missing: 'The tenant trusts no such issuer.', show: showIssuer }),
});

const ruleFields = answerFields(TrustRuleRow);
const KnownTrustRule = record('KnownTrustRule', { ...ruleFields, scopes: wire.Scopes, reason: wire.EndReason });
const showRule = toResponseOf(KnownTrustRule);

export const listTrustRules = pageRoute({
  path: '/v1/trust-rules',
  operation: 'listTrustRules',
  summary: 'List trust rules, newest first',
  description: 'Of several that answer a credential, the oldest counts.',
  scopes,
  params: record('NoParams', {}),
  item: KnownTrustRule,
  view: trustRulesView,
  filters: { status: ruleFields.status, issuerId: ruleFields.issuerId },
  order: [
    { field: 'createdAt', direction: 'desc' },
    { field: 'ruleId', direction: 'desc' },
  ],
  rows: (_params, { status, issuerId }) => ({ where: definedFields({ status, issuerId }) }),
  show: showRule,
});

export const getTrustRule = oneRoute({
  path: '/v1/trust-rules/:ruleId',
  operation: 'getTrustRule',
  summary: 'Get a trust rule',
  scopes,
  params: record('KnownTrustRulePath', { ruleId: ruleFields.ruleId }),
  item: KnownTrustRule,
  query: (key) => ({ view: trustRulesView, key, missing: 'There is no such rule.', show: showRule }),
});
