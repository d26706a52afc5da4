/** GET /v1/refresh-families and one of them: refresh tokens that follow one another, named as the specification does. */
import { Instant, integer, nullable, oneOf, record } from '../../domain/kernel/codec';
import { type FamilyRow, FamilyStatus, familiesView } from '../../projections/identity/refresh-families/view';
import { EndedBy } from '../../projections/identity/sessions/view';
import { given } from '../kernel/given';
import { oneRoute, pageRoute } from '../kernel/route';
import { ownOneOrScoped } from './own';
import * as wire from './wire';

const scope = 'grants:read';

const RefreshFamily = record('RefreshFamily', {
  family_id: wire.FamilyId,
  grantId: wire.GrantId,
  principalId: wire.PrincipalId,
  clientId: wire.ClientId,
  status: FamilyStatus,
  rotation_counter: integer(0),
  binding: nullable(oneOf('RefreshBinding', ['dpop', 'tls'])),
  openedAt: Instant,
  lastUsedAt: nullable(Instant),
  idleSeconds: integer(1),
  expiresAt: Instant,
  endedAt: nullable(Instant),
  reason: wire.EndReason,
  /** `security-epoch`: by what raised its principal's epoch, such as a suspension. */
  endedBy: nullable(EndedBy),
  incidentId: nullable(wire.IncidentId),
});

const show = ({ tenantId: _tenant, revision: _revision, familyId, rotationCounter, ...shown }: FamilyRow) => ({
  family_id: familyId,
  ...shown,
  rotation_counter: rotationCounter,
});

export const listRefreshFamilies = pageRoute({
  path: '/v1/refresh-families',
  operation: 'listRefreshFamilies',
  summary: 'Families of refresh tokens of the tenant, the newest first.',
  scopes: [scope],
  params: record('NoParams', {}),
  item: RefreshFamily,
  view: familiesView,
  filters: { principalId: wire.PrincipalId, grantId: wire.GrantId, status: FamilyStatus },
  order: [
    { field: 'openedAt', direction: 'desc' },
    { field: 'familyId', direction: 'desc' },
  ],
  rows: (_params, { principalId, grantId, status }) => ({ where: given({ principalId, grantId, status }) }),
  show,
});

/** A principal's epoch changes the row and not its stream. */
const isTagged = ({ endedBy }: FamilyRow): boolean => endedBy !== 'security-epoch';

const missing = 'No such family of refresh tokens is known here.';

export const getRefreshFamily = ownOneOrScoped(
  scope,
  oneRoute({
    path: '/v1/refresh-families/:familyId',
    operation: 'getRefreshFamily',
    summary: 'One family of refresh tokens.',
    scopes: [scope],
    params: record('RefreshFamilyParams', { familyId: wire.FamilyId }),
    item: RefreshFamily,
    query: ({ familyId }) => ({
      view: familiesView,
      key: { familyId: familyId as FamilyRow['familyId'] },
      missing,
      show,
      isTagged,
    }),
  }),
  missing,
);
