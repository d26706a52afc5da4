/** Privacy's aggregates, folded: for audits, and for the explorer of the log. */
import { type SubjectEvent, subjects } from '../../domain/privacy/subject/events';
import { type Audited, audited } from '../kernel/audited';

const notForgotten: Partial<SubjectEvent['data']> = {};

export const context: readonly Audited[] = [
  audited({ family: subjects, aggregate: 'subject', initial: notForgotten, evolve: (_, { data }) => data }),
];
