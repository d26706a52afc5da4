/** Credential policy of a tenant: one row once set. */
import type { TypeOf } from 'io-ts';
import { credentialPolicyFields } from '../../../domain/identity/credential-policy/events';
import { integer, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

export { defaultCredentialPolicy } from '../../../domain/identity/credential-policy/events';

export const KnownCredentialPolicy = record('KnownCredentialPolicy', credentialPolicyFields);

export const CredentialPolicyRow = record('CredentialPolicyRow', {
  tenantId: TenantId,
  ...credentialPolicyFields,
  revision: integer(0),
});
export type CredentialPolicyRow = TypeOf<typeof CredentialPolicyRow>;

export const credentialPolicyView: TableView<CredentialPolicyRow> = table({
  name: 'identity_credential_policies',
  version: 1,
  row: CredentialPolicyRow,
  key: ['tenantId'],
});
