/** Privacy's aggregates, for audits and the log explorer. */
import { streams } from '../../domain/privacy/streams';
import { type SubjectEvent, subjects } from '../../domain/privacy/subject/events';
import { auditedAggregate, auditedStreams } from '../kernel/audited-aggregate';

const notForgotten: Partial<SubjectEvent['data']> = {};

export const context = auditedStreams(streams, {
  subject: auditedAggregate({ family: subjects, initial: notForgotten, evolve: (_, { data }) => data }),
});
