/** The aggregates of places, for audits and the log explorer. */
import { placeImport } from '../../domain/geo/import/decider';
import { place } from '../../domain/geo/place/decider';
import { type AuditedAggregate, auditedAggregate } from '../kernel/audited-aggregate';

export const context: readonly AuditedAggregate[] = [
  auditedAggregate({ ...place, aggregate: 'place' }),
  auditedAggregate({ ...placeImport, aggregate: 'import' }),
];
