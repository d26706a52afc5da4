/** What operators see of rate limits: GET /v1/ratelimit/policies and /v1/ratelimit/refusals. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Instant, integer, nullable, oneOf, record, text } from '../../../../domain/kernel/codec';
import type { RateLimitReports, RecordedRefusals, ReportedPolicy } from '../../../ports/rate-limit-reports';
import { commonProblems, problem, problemOf } from '../../../server/http/problem';
import { integerParameter } from '../../../server/http/routing/integer-parameter';
import { type Identity, route } from '../../../server/http/routing/route';
import { rulesForTenant } from '../../policy-report';

export interface ReportDeps {
  readonly reports: RateLimitReports;
  /** This service's own, in force. */
  readonly policy: () => ReportedPolicy;
  /** The tenant whose principals operate the platform. */
  readonly operators: string;
}

const access = { scopes: ['ratelimit:read'] };
const Enforcer = oneOf('RateLimitEnforcer', ['gateway', 'service']);
const word = (name: string) => text(name, { maxLength: 256 });
const count = integer(0);

const PolicyRule = record('RateLimitRule', {
  name: word('RateLimitRuleName'),
  /** `defaults`, `override`, or the plan. */
  set: word('RateLimitRuleSet'),
  /** Values that a request must have to be counted. */
  match: t.readonly(t.record(t.string, t.readonlyArray(t.string), 'RateLimitMatch')),
  /** One limit per combination of these. */
  by: t.readonlyArray(word('RateLimitDimension')),
  algorithm: word('RateLimitAlgorithm'),
  unit: word('RateLimitUnit'),
  limit: count,
  periodMilliseconds: nullable(count),
  burst: nullable(count),
  strictness: oneOf('RateLimitStrictness', ['hard', 'soft', 'watched']),
  onStoreError: oneOf('RateLimitOnStoreError', ['deny', 'allow', 'local']),
});
const Policies = record('RateLimitPolicies', {
  items: t.readonlyArray(
    record('RateLimitPolicy', {
      enforcedBy: Enforcer,
      version: word('RateLimitPolicyVersion'),
      /** `built-in`, or how an operator configured it: the text or the file of an environment variable. */
      origin: oneOf('RateLimitPolicyOrigin', ['built-in', 'variable', 'file']),
      /** Path of that file, for operators of the platform. */
      file: nullable(text('RateLimitPolicyFile', { maxLength: 4_096 })),
      rules: t.readonlyArray(PolicyRule),
    }),
  ),
});

const isOperator = ({ operators }: ReportDeps, { tenantId }: Identity): boolean => tenantId === operators;

export const listPolicies = route<ReportDeps>()({
  method: 'get',
  path: '/v1/ratelimit/policies',
  operation: 'listRateLimitPolicies',
  summary: 'List the limits that apply to the tenant: at the gateway, and by this API',
  description:
    'Operators of the platform see the rules of all tenants. The gateway’s policy is missing where it runs without Redis.',
  access,
  answers: { 200: { description: 'Both policies.', body: Policies } },
  problems: { 'service-unavailable': commonProblems['service-unavailable'] },
  handle: async (deps, { identity }) => {
    const gateway = await deps.reports.gatewayPolicy();
    if (isLeft(gateway)) return problemOf(gateway.left, {});
    const policies = [...(gateway.right === undefined ? [] : [gateway.right]), deps.policy()];
    const items = isOperator(deps, identity) ? policies : policies.map((one) => rulesForTenant(one, identity.tenantId));
    return { status: 200, body: { items } };
  },
});

/** As Redis writes it: milliseconds since 1970, so never 0, and both numbers far below 2^64, above which Redis refuses an id. */
const RefusalId = text('RefusalId', {
  maxLength: 39,
  pattern: '[1-9][0-9]{0,18}-[0-9]{1,19}',
  examples: ['1767225600000-0'],
});

const Refusals = record('RateLimitRefusals', {
  id: RefusalId,
  at: Instant,
  enforcedBy: Enforcer,
  principalId: nullable(word('RefusedPrincipal')),
  clientId: nullable(word('RefusedClient')),
  /** Route group. */
  group: nullable(word('RefusedGroup')),
  reason: word('RefusalReason'),
  /** That were over their limit. */
  rules: t.readonlyArray(word('RateLimitRuleName')),
  retryAfterSeconds: count,
  /** Of the last of them: `X-Request-Id` of the answer, or `requestId` of the question. */
  requestId: nullable(word('RefusedRequestId')),
  /** In that second, alike. */
  refusals: integer(1),
});

const RefusalsQuery = record(
  'RateLimitRefusalsQuery',
  {},
  {
    principalId: word('RefusedPrincipal'),
    cursor: RefusalId,
    limit: integerParameter('a whole number from 1 to 100', { minimum: 1, maximum: 100, fallback: 50, maxDigits: 3 }),
    about: oneOf('RateLimitRefusalsAbout', ['strangers']),
  },
);

const answered = ({ at, tenantId: _tenant, ...refusals }: RecordedRefusals) => ({
  ...refusals,
  at: new Date(at).toISOString() as Instant,
});

export const listRefusals = route<ReportDeps>()({
  method: 'get',
  path: '/v1/ratelimit/refusals',
  operation: 'listRateLimitRefusals',
  summary: 'List refusals of the last day, newest first, with identical ones within a second combined',
  description:
    'Of the gateway by principal and client, of this API by rule only. About a second old; where very many were refused, some are missing. With `about=strangers`, for operators of the platform: requests that were refused before anyone was known. `next` is the `cursor` of the next page.',
  access,
  query: RefusalsQuery,
  answers: {
    200: {
      description: 'A page; the last has no `next`.',
      body: record('RateLimitRefusalsPage', { items: t.readonlyArray(Refusals) }, { next: RefusalId }),
    },
  },
  problems: { 'service-unavailable': commonProblems['service-unavailable'] },
  handle: async (deps, { identity, query: { about, principalId, cursor, limit = 50 } }) => {
    if (about !== undefined && !isOperator(deps, identity))
      return problem('forbidden', 'Only operators of the platform see refusals of strangers.');
    const tenantId = about === undefined ? identity.tenantId : null;
    const found = await deps.reports.refusals(tenantId, { principalId, before: cursor, limit: Number(limit) });
    if (isLeft(found)) return problemOf(found.left, {});
    const last = found.right.length < Number(limit) ? undefined : found.right.at(-1)?.id;
    return { status: 200, body: { items: found.right.map(answered), ...(last === undefined ? {} : { next: last }) } };
  },
});
