/** Every aggregate whose events can be made state again, one line each: for audits, and for those who explore the log. */
import { issuance } from '../domain/identity/issuance/events';
import { principals } from '../domain/identity/principal/events';
import { evolve, type PrincipalState } from '../domain/identity/principal/state';
import { skips } from '../domain/platform/skips/events';
import { evolve as evolveSkips, nothingSkipped } from '../domain/platform/skips/state';
import { type SubjectEvent, subjects } from '../domain/privacy/subject/events';
import { type Audited, audited } from './kernel/audited';

const none: PrincipalState = { kind: 'none' };
const nobody: Partial<SubjectEvent['data']> = {};

/** The only place beside deciders where events become state. */
export const aggregates: readonly Audited[] = [
  audited({ family: principals, aggregate: 'principal', initial: none, evolve }),
  audited({ family: issuance, aggregate: 'issuance', initial: null, evolve: () => null }),
  audited({ family: subjects, aggregate: 'subject', initial: nobody, evolve: (_, { data }) => data }),
  audited({ family: skips, aggregate: 'skips', initial: nothingSkipped, evolve: evolveSkips }),
];
