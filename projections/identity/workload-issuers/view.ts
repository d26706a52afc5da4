/** Issuers of workloads' credentials that a tenant trusts. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { WorkloadIssuerId } from '../../../domain/identity/ids';
import { Reason } from '../../../domain/identity/principal/events';
import { ClaimMapping, workloadIssuerFields } from '../../../domain/identity/workload-trust/events';
import { fieldsOf, Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

/** Of an issuer, and of a rule. */
export const TrustStatus = oneOf('TrustStatus', ['ACTIVE', 'ENDED']);

const { name, kind, issuer, keysUri } = workloadIssuerFields;

export const WorkloadIssuerRow = record('WorkloadIssuerRow', {
  tenantId: TenantId,
  issuerId: WorkloadIssuerId,
  name,
  kind,
  issuer,
  keysUri,
  /** Key ids of recorded keys. Null: they are fetched. */
  keyIds: nullable(t.array(text('RecordedKeyId', { maxLength: 256, examples: ['2026-11'] }), 'RecordedKeyIds')),
  claims: t.array(record('KnownClaimMapping', fieldsOf(ClaimMapping)), 'KnownClaimMappings'),
  status: TrustStatus,
  createdAt: Instant,
  endedAt: nullable(Instant),
  reason: nullable(Reason),
  revision: integer(0),
});
export type WorkloadIssuerRow = TypeOf<typeof WorkloadIssuerRow>;

export const workloadIssuersView: TableView<WorkloadIssuerRow> = table({
  name: 'identity_workload_issuers',
  version: 1,
  row: WorkloadIssuerRow,
  key: ['tenantId', 'issuerId'],
  indexes: [['tenantId', 'createdAt', 'issuerId']],
});
