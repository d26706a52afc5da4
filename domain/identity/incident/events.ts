/** A possible compromise: whose, and through what. Measures are recorded in their own streams. */
import { Instant, nullable, oneOf } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { FamilyId, GrantId, IncidentId } from '../ids';

const Severity = oneOf('Severity', ['SEV-1', 'SEV-2', 'SEV-3']);

/**
 * `refresh-token-reuse`: a rotated token was presented again, so it or its successor was stolen. `refresh-token-shown-by-another`: another
 * client or key presented the token, which ended nothing.
 */
const IncidentSubject = oneOf('IncidentSubject', ['refresh-token-reuse', 'refresh-token-shown-by-another']);

export const incidents = aggregate(
  { context: 'identity', name: 'incident', id: IncidentId },
  {
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
  },
);
export type IncidentEvent = typeof incidents.Event;

export const { stream: incidentStream } = incidents;
