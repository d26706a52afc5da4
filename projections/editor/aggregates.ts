/** The editor's aggregates, for audits and the log explorer. */
import { document } from '../../domain/editor/document/decider';
import { operationLog } from '../../domain/editor/operation-log/events';
import { evolveLog, initialLogState } from '../../domain/editor/operation-log/state';
import { type AuditedAggregate, auditedAggregate } from '../kernel/audited-aggregate';

export const context: readonly AuditedAggregate[] = [
  auditedAggregate({ ...document, aggregate: 'document' }),
  auditedAggregate({ family: operationLog, aggregate: 'log', initial: initialLogState, evolve: evolveLog }),
];
