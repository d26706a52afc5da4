/** Principals: the specification's fields and roles. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { PrincipalType } from '../../../domain/identity/ids';
import { SecurityEpoch } from '../../../domain/identity/principal/events';
import type { Role } from '../../../domain/identity/scopes';
import { Instant, integer, oneOf, record } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

const PrincipalStatus = oneOf('PrincipalStatus', ['ACTIVE', 'SUSPENDED', 'COMPROMISED']);

export const PrincipalRow = record('PrincipalRow', {
  tenantId: TenantId,
  principalId: PrincipalId,
  principalType: PrincipalType,
  status: PrincipalStatus,
  securityEpoch: SecurityEpoch,
  createdAt: Instant,
  /** One column per role, each set independently. */
  isAdmin: t.boolean,
  isAuditor: t.boolean,
  revision: integer(0),
});
export type PrincipalRow = TypeOf<typeof PrincipalRow>;

/** A new role requires its column at compile time. */
export const roleColumns = { admin: 'isAdmin', auditor: 'isAuditor' } as const satisfies Record<
  Role,
  keyof PrincipalRow
>;

export const principalsView: TableView<PrincipalRow> = table({
  name: 'identity_principals',
  version: 2,
  row: PrincipalRow,
  key: ['tenantId', 'principalId'],
  indexes: [['tenantId', 'createdAt', 'principalId']],
});
