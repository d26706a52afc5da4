/** GET /v1/policy/versions/:policyVersion/differences: where the version in shadow would have decided otherwise. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { RuleId } from '../../domain/identity/policy/document';
import { PolicyVersion } from '../../domain/identity/policy/events';
import { Instant, integer, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import type { ShadowReader } from '../../infra/ports/identity/policy-differences';
import type { ViewReader } from '../../infra/ports/views/view-store';
import { commonProblems, problem, problemOf } from '../../infra/server/http/problem';
import { integerParameter } from '../../infra/server/http/routing/integer-parameter';
import { route } from '../../infra/server/http/routing/route';
import { policyVersionsView } from '../../projections/identity/policy-versions/view';

export interface PolicyDifferenceDeps {
  readonly shadows: Pick<ShadowReader, 'find'>;
  readonly views: Pick<ViewReader, 'find'>;
}

const word = (name: string, example: string) => text(name, { maxLength: 256, examples: [example] });
const Outcome = oneOf('PolicyOutcome', ['ALLOW', 'DENY', 'STEP_UP_REQUIRED', 'SIGN_IN_REQUIRED']);

const Difference = record('PolicyDifference', {
  at: Instant,
  principalId: word('PolicyDifferencePrincipal', 'p-1'),
  method: word('PolicyDifferenceMethod', 'POST'),
  /** Name of the route in the API document; null: unknown. */
  operation: nullable(word('PolicyDifferenceOperation', 'createDelegation')),
  /** Null: no version was enforced. */
  enforced: nullable(PolicyVersion),
  enforcedEffect: Outcome,
  shadowEffect: Outcome,
  /** Of the version in shadow; null: no rule decided. */
  ruleId: nullable(RuleId),
});

export const listPolicyDifferences = route<PolicyDifferenceDeps>()({
  method: 'get',
  path: '/v1/policy/versions/:policyVersion/differences',
  operation: 'listAccessPolicyDifferences',
  summary: 'List where a version in shadow would have decided otherwise',
  description:
    'Counts of live requests since the version was put in shadow, and up to 100 differences, newest first. They are a second old, and forgotten a day after the last one.',
  access: { scopes: ['security:read'] },
  params: record('PolicyDifferencesParams', {
    policyVersion: integerParameter('the number of a version', { minimum: 1, maximum: 200, maxDigits: 3 }),
  }),
  answers: {
    200: {
      description: 'What gateways counted.',
      body: record('PolicyDifferences', {
        evaluated: integer(0),
        different: integer(0),
        items: t.readonlyArray(Difference),
      }),
    },
  },
  problems: {
    'not-found': commonProblems['not-found'],
    'service-unavailable': commonProblems['service-unavailable'],
    'view-store-unavailable': commonProblems['view-store-unavailable'],
  },
  handle: async ({ shadows, views }, { params: { policyVersion }, identity: { tenantId } }) => {
    const known = await views.find(policyVersionsView, tenantId, { version: policyVersion });
    if (isLeft(known)) return problemOf(known.left, {});
    if (known.right === undefined) return problem('not-found', 'The access policy has no such version.');
    const found = await shadows.find(tenantId, policyVersion);
    if (isLeft(found)) return problemOf(found.left, {});
    const { items, ...counts } = found.right;
    const dated = items.map(({ at, ...one }) => ({ ...one, at: new Date(at).toISOString() }));
    return { status: 200, body: { ...counts, items: dated } };
  },
});
