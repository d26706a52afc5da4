/** Principals: the specification's fields, roles, and how they are called. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { PrincipalType } from '../../../domain/identity/ids';
import { SecurityEpoch } from '../../../domain/identity/principal/events';
import type { Role } from '../../../domain/identity/scopes';
import { Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

export { queryTerms } from './search-terms';

const PrincipalStatus = oneOf('PrincipalStatus', ['ACTIVE', 'SUSPENDED', 'COMPROMISED']);

/** As long as ciphertext of the longest login is. */
const SealedText = text('SealedText', { maxLength: 1_200 });

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
  /** Of people. Null: none, or the person was forgotten. */
  login: nullable(SealedText),
  /** A person's name, or the label of a pipeline or an agent. */
  name: nullable(SealedText),
  terms: t.array(text('SearchTerm', { maxLength: 64 }), 'SearchTerms'),
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
  version: 3,
  personal: true,
  sealed: { encrypted: ['login', 'name'], digests: ['terms'] },
  row: PrincipalRow,
  key: ['tenantId', 'principalId'],
  indexes: [['tenantId', 'createdAt', 'principalId']],
});
