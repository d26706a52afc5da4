/** Documents of access policies, by version: they never change. */
import type { TypeOf } from 'io-ts';
import { PolicyDocument } from '../../../domain/identity/policy/document';
import { PolicyVersion } from '../../../domain/identity/policy/events';
import { integer, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

export const PolicyDocumentRow = record('PolicyDocumentRow', {
  tenantId: TenantId,
  version: PolicyVersion,
  document: PolicyDocument,
  revision: integer(0),
});
export type PolicyDocumentRow = TypeOf<typeof PolicyDocumentRow>;

export const policyDocumentsView: TableView<PolicyDocumentRow> = table({
  name: 'identity_policy_documents',
  version: 1,
  row: PolicyDocumentRow,
  key: ['tenantId', 'version'],
});
