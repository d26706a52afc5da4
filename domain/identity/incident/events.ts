/** That access may be in wrong hands: whose, and through what. What is done about it is recorded where it is done. */
import { Instant, nullable, oneOf } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { FamilyId, GrantId, IncidentId } from '../ids';

const Severity = oneOf('Severity', ['SEV-1', 'SEV-2', 'SEV-3']);

/**
 * `refresh-token-reuse`: a token that had been used came again, so it, or the one that came first, is in wrong hands.
 * `refresh-token-shown-by-another`: somebody showed a token of another client or key, which ended nothing.
 */
const IncidentSubject = oneOf('IncidentSubject', ['refresh-token-reuse', 'refresh-token-shown-by-another']);

export const incidents = family('identity', {
  IncidentOpened: {
    v: 1,
    data: {
      incidentId: IncidentId,
      severity: Severity,
      subject: IncidentSubject,
      principalId: PrincipalId,
      grantId: nullable(GrantId),
      familyId: nullable(FamilyId),
      openedAt: Instant,
    },
  },
});
export type IncidentEvent = typeof incidents.Event;
