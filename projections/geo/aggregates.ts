/** The aggregates of places, for audits and the log explorer. */
import { placeImport } from '../../domain/geo/import/decider';
import { place } from '../../domain/geo/place/decider';
import { source } from '../../domain/geo/source/decider';
import { type AuditedAggregate, auditedAggregate } from '../kernel/audited-aggregate';

export const context: readonly AuditedAggregate[] = [
  auditedAggregate({ ...place, aggregate: 'place' }),
  auditedAggregate({ ...source, aggregate: 'source' }),
  auditedAggregate({ ...placeImport, aggregate: 'import' }),
];
