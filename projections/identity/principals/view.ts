/** Principals with the specification's fields. */
import type { TypeOf } from 'io-ts';
import { SecurityEpoch } from '../../../domain/identity/principal/events';
import { PrincipalId, PrincipalType } from '../../../domain/identity/principal-id';
import { Instant, integer, oneOf, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import type { TableView } from '../../kernel/view';

export const PrincipalStatus = oneOf('PrincipalStatus', ['ACTIVE', 'SUSPENDED', 'COMPROMISED']);

export const PrincipalRow = record('PrincipalRow', {
  tenantId: TenantId,
  principalId: PrincipalId,
  principalType: PrincipalType,
  status: PrincipalStatus,
  securityEpoch: SecurityEpoch,
  createdAt: Instant,
  revision: integer(0),
});
export type PrincipalRow = TypeOf<typeof PrincipalRow>;

export const principalsView: TableView<PrincipalRow> = {
  store: 'postgres',
  name: 'identity_principals',
  version: 1,
  row: PrincipalRow,
  key: ['tenantId', 'principalId'],
  columns: {
    tenantId: 'text',
    principalId: 'text',
    principalType: 'text',
    status: 'text',
    securityEpoch: 'integer',
    createdAt: 'timestamptz',
    revision: 'integer',
  },
  indexes: [['tenantId', 'createdAt', 'principalId']],
};
