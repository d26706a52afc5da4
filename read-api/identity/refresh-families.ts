/** GET /v1/refresh-families and /v1/refresh-families/:familyId, with the specification's names. */
import { nullable, oneOf, record } from '../../domain/kernel/codec';
import { FamilyRow, familiesView } from '../../projections/identity/refresh-families/view';
import { definedFields } from '../kernel/defined-fields';
import { oneRoute, pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { allowOwnItem } from './access-rules';
import * as wire from './wire';

const scope = 'grants:read';

const { familyId, rotationCounter, grantId, principalId, clientId, status, ...fields } = answerFields(FamilyRow);
const RefreshFamily = record('RefreshFamily', {
  family_id: familyId,
  grantId,
  principalId,
  clientId,
  status,
  rotation_counter: rotationCounter,
  ...fields,
  binding: nullable(oneOf('RefreshBinding', ['dpop', 'tls'])),
  reason: wire.EndReason,
});

const toResponse = toResponseOf(RefreshFamily);
const show = (row: FamilyRow) => toResponse({ ...row, family_id: row.familyId, rotation_counter: row.rotationCounter });

export const listRefreshFamilies = pageRoute({
  path: '/v1/refresh-families',
  operation: 'listRefreshFamilies',
  summary: 'List refresh token families, newest first',
  scopes: [scope],
  params: record('NoParams', {}),
  item: RefreshFamily,
  view: familiesView,
  filters: { principalId, grantId, status },
  order: [
    { field: 'openedAt', direction: 'desc' },
    { field: 'familyId', direction: 'desc' },
  ],
  rows: (_params, { principalId, grantId, status }) => ({ where: definedFields({ principalId, grantId, status }) }),
  show,
});

/** No ETag when the principal's epoch ended the family: its stream has no event of it. */
const isTagged = ({ endedBy }: FamilyRow): boolean => endedBy !== 'security-epoch';

const missing = 'No such family of refresh tokens is known here.';

export const getRefreshFamily = allowOwnItem(
  scope,
  oneRoute({
    path: '/v1/refresh-families/:familyId',
    operation: 'getRefreshFamily',
    summary: 'Get a refresh token family',
    scopes: [scope],
    params: record('RefreshFamilyParams', { familyId }),
    item: RefreshFamily,
    query: (key) => ({ view: familiesView, key, missing, show, isTagged }),
  }),
  missing,
);
