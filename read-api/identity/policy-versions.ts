/** GET /v1/policy/versions and /v1/policy/versions/:policyVersion. */
import { record } from '../../domain/kernel/codec';
import { integerParameter } from '../../infra/server/http/routing/integer-parameter';
import { PolicyDocumentRow, policyDocumentsView } from '../../projections/identity/policy-documents/view';
import { PolicyVersionRow, policyVersionsView } from '../../projections/identity/policy-versions/view';
import { oneRoute, pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';

const PolicyVersion = record('AccessPolicyVersion', answerFields(PolicyVersionRow));

export const listPolicyVersions = pageRoute({
  path: '/v1/policy/versions',
  operation: 'listAccessPolicyVersions',
  summary: 'List the versions of the access policy, newest first',
  description:
    'At most one is enforced, and one is in shadow. Documents are of `GET /v1/policy/versions/{policyVersion}`.',
  scopes: ['security:read'],
  params: record('NoParams', {}),
  item: PolicyVersion,
  view: policyVersionsView,
  filters: {},
  order: [{ field: 'version', direction: 'desc' }],
  rows: () => ({ where: {} }),
  show: toResponseOf(PolicyVersion),
});

const VersionDocument = record('AccessPolicyVersionDocument', answerFields(PolicyDocumentRow));

export const getPolicyVersion = oneRoute({
  path: '/v1/policy/versions/:policyVersion',
  operation: 'getAccessPolicyVersion',
  summary: 'Get the document of a version of the access policy',
  scopes: ['security:read'],
  params: record('PolicyVersionParams', {
    policyVersion: integerParameter('the number of a version', { minimum: 1, maximum: 200, maxDigits: 3 }),
  }),
  item: VersionDocument,
  query: ({ policyVersion: version }) => ({
    view: policyDocumentsView,
    key: { version },
    missing: 'The access policy has no such version.',
    show: toResponseOf(VersionDocument),
  }),
});
