/** GET /v1/grants, one of them, and those of one principal: what clients may do in whose name. */
import { Instant, nullable, record } from '../../domain/kernel/codec';
import { type GrantRow, GrantStatus, grantsView } from '../../projections/identity/grants/view';
import { EndedBy } from '../../projections/identity/sessions/view';
import { given } from '../kernel/given';
import { oneRoute, pageRoute } from '../kernel/route';
import { ownOneOrScoped, ownOrScoped } from './own';
import { PrincipalParams } from './principals';
import * as wire from './wire';

const scope = 'grants:read';

const Grant = record('Grant', {
  grantId: wire.GrantId,
  principalId: wire.PrincipalId,
  principalType: wire.PrincipalType,
  refreshFamilyId: nullable(wire.FamilyId),
  status: GrantStatus,
  createdAt: Instant,
  expiresAt: Instant,
  clientId: wire.ClientId,
  scopes: wire.Scopes,
  audience: wire.Audiences,
  sessionId: nullable(wire.SessionId),
  authenticatedAt: Instant,
  methods: wire.AuthenticationMethods,
  endedAt: nullable(Instant),
  reason: wire.EndReason,
  /** `security-epoch`: by what raised its principal's epoch, such as a suspension. */
  endedBy: nullable(EndedBy),
  incidentId: nullable(wire.IncidentId),
});

const show = ({ tenantId: _tenant, revision: _revision, ...shown }: GrantRow) => shown;

const order = [
  { field: 'createdAt', direction: 'desc' },
  { field: 'grantId', direction: 'desc' },
] as const;

export const listGrants = pageRoute({
  path: '/v1/grants',
  operation: 'listGrants',
  summary: 'Grants of the tenant, the newest first.',
  scopes: [scope],
  params: record('NoParams', {}),
  item: Grant,
  view: grantsView,
  filters: { principalId: wire.PrincipalId, clientId: wire.ClientId, sessionId: wire.SessionId, status: GrantStatus },
  order,
  rows: (_params, { principalId, clientId, sessionId, status }) => ({
    where: given({ principalId, clientId, sessionId, status }),
  }),
  show,
});

export const listPrincipalGrants = ownOrScoped(
  scope,
  pageRoute({
    path: '/v1/principals/:principalId/grants',
    operation: 'listPrincipalGrants',
    summary: 'Grants of one principal, the newest first.',
    scopes: [scope],
    params: PrincipalParams,
    item: Grant,
    view: grantsView,
    filters: { clientId: wire.ClientId, status: GrantStatus },
    order,
    rows: ({ principalId }, { clientId, status }) => ({ where: { principalId, ...given({ clientId, status }) } }),
    show,
  }),
);

/** A principal's epoch changes the row and not its stream. */
const isTagged = ({ endedBy }: GrantRow): boolean => endedBy !== 'security-epoch';

const missing = 'No such grant is known here.';

export const getGrant = ownOneOrScoped(
  scope,
  oneRoute({
    path: '/v1/grants/:grantId',
    operation: 'getGrant',
    summary: 'One grant.',
    scopes: [scope],
    params: record('GrantParams', { grantId: wire.GrantId }),
    item: Grant,
    query: ({ grantId }) => ({
      view: grantsView,
      key: { grantId: grantId as GrantRow['grantId'] },
      missing,
      show,
      isTagged,
    }),
  }),
  missing,
);
