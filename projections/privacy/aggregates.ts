/** Privacy's aggregates, folded: for audits, and for the explorer of the log. */
import { type SubjectEvent, subjects } from '../../domain/privacy/subject/events';
import { type AuditedAggregate, auditedAggregate } from '../kernel/audited-aggregate';

const notForgotten: Partial<SubjectEvent['data']> = {};

export const context: readonly AuditedAggregate[] = [
  auditedAggregate({ family: subjects, aggregate: 'subject', initial: notForgotten, evolve: (_, { data }) => data }),
];
