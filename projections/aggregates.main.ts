/** Every aggregate whose events can be made state again, one line each: for audits, and for those who explore the log. */
import { document } from '../domain/editor/document/decider';
import { log } from '../domain/editor/log/events';
import { evolveLog, nothingCommitted } from '../domain/editor/log/state';
import { skips } from '../domain/platform/skips/events';
import { evolve as evolveSkips, nothingSkipped } from '../domain/platform/skips/state';
import { type SubjectEvent, subjects } from '../domain/privacy/subject/events';
import { usageOfHour } from '../domain/ratelimit/usage/decider';
import { identityAggregates } from './identity/aggregates.main';
import { type Audited, audited } from './kernel/audited';

const nobody: Partial<SubjectEvent['data']> = {};

/** The only place beside deciders where events become state. */
export const aggregates: readonly Audited[] = [
  ...identityAggregates,
  audited({ ...document, aggregate: 'document' }),
  audited({ family: log, aggregate: 'log', initial: nothingCommitted, evolve: evolveLog }),
  audited({ ...usageOfHour, aggregate: 'usage' }),
  audited({ family: subjects, aggregate: 'subject', initial: nobody, evolve: (_, { data }) => data }),
  audited({ family: skips, aggregate: 'skips', initial: nothingSkipped, evolve: evolveSkips }),
];
