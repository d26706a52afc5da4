/** Registration policy of a tenant: one row once set. */
import type { TypeOf } from 'io-ts';
import { registrationPolicyFields } from '../../../domain/identity/registration-policy/events';
import { integer, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

export const KnownRegistrationPolicy = record('KnownRegistrationPolicy', registrationPolicyFields);

const RegistrationPolicyRow = record('RegistrationPolicyRow', {
  tenantId: TenantId,
  ...registrationPolicyFields,
  revision: integer(0),
});
export type RegistrationPolicyRow = TypeOf<typeof RegistrationPolicyRow>;

export const registrationPolicyView: TableView<RegistrationPolicyRow> = table({
  name: 'identity_registration_policies',
  version: 1,
  row: RegistrationPolicyRow,
  key: ['tenantId'],
});
