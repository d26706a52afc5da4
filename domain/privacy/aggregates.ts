/** The aggregates of privacy. */
import type { ContextAggregates } from '../kernel/aggregate';
import { type SubjectEvent, subjects } from './subject/events';

const notForgotten: Partial<SubjectEvent['data']> = {};

export const context: ContextAggregates = {
  aggregates: [{ family: subjects, initial: notForgotten, evolve: (_, { data }: SubjectEvent) => data }],
  references: 'none',
};
