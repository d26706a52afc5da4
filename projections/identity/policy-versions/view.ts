/** Versions of access policies, without their documents. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { PolicyNote, PolicyVersion } from '../../../domain/identity/policy/events';
import { Instant, integer, nullable, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

export const PolicyVersionRow = record('PolicyVersionRow', {
  tenantId: TenantId,
  version: PolicyVersion,
  note: nullable(PolicyNote),
  rules: integer(0),
  draftedAt: Instant,
  draftedBy: text('PolicyDrafter', { maxLength: 256, examples: ['5b0e6f3c-5f1c-5d1e-9a52-1a2b3c4d5e6f'] }),
  isEnforced: t.boolean,
  isShadow: t.boolean,
  /** The last time. */
  enforcedAt: nullable(Instant),
  revision: integer(0),
});
export type PolicyVersionRow = TypeOf<typeof PolicyVersionRow>;

export const policyVersionsView: TableView<PolicyVersionRow> = table({
  name: 'identity_policy_versions',
  version: 1,
  row: PolicyVersionRow,
  key: ['tenantId', 'version'],
});
