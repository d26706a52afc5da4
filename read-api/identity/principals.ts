/** GET /v1/principals and one of them: the specification's fields and nothing else. */
import { Instant, integer, record } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import { type PrincipalRow, PrincipalStatus, principalsView } from '../../projections/identity/principals/view';
import { given } from '../kernel/given';
import { oneRoute, pageRoute } from '../kernel/route';
import { PrincipalId, PrincipalType } from './wire';

export const PrincipalParams = record('PrincipalParams', { principalId: PrincipalId });
export const principalScopes = ['principals:read'];

const Principal = record('Principal', {
  principalId: PrincipalId,
  principalType: PrincipalType,
  tenantId: TenantId,
  status: PrincipalStatus,
  securityEpoch: integer(1),
  createdAt: Instant,
});

const show = ({ principalId, principalType, tenantId, status, securityEpoch, createdAt }: PrincipalRow) => ({
  principalId,
  principalType,
  tenantId,
  status,
  securityEpoch,
  createdAt,
});

export const getPrincipal = oneRoute({
  path: '/v1/principals/:principalId',
  operation: 'getPrincipal',
  summary: 'One principal.',
  scopes: principalScopes,
  params: PrincipalParams,
  item: Principal,
  query: ({ principalId }) => ({
    view: principalsView,
    key: { principalId },
    missing: 'No such principal is known here.',
    show,
  }),
});

export const listPrincipals = pageRoute({
  path: '/v1/principals',
  operation: 'listPrincipals',
  summary: 'The principals of the tenant, the newest first.',
  scopes: principalScopes,
  params: record('NoParams', {}),
  item: Principal,
  view: principalsView,
  filters: { principalType: PrincipalType, status: PrincipalStatus },
  order: [
    { field: 'createdAt', direction: 'desc' },
    { field: 'principalId', direction: 'desc' },
  ],
  rows: (_params, { principalType, status }) => ({ where: given({ principalType, status }) }),
  show,
});
