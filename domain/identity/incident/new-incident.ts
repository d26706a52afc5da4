/** The command that opens an incident, for whatever finds one: routes, token endpoints, processes, detection. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import type { FamilyId, GrantId, IncidentId, KeyId } from '../ids';
import type { Severity } from '../protocol/severity';
import type { Incident, OpenIncident } from './decider';
import type { IncidentReach, IncidentSubject } from './events';

export interface NewIncident {
  readonly incidentId: IncidentId;
  readonly severity: Severity;
  readonly subject: IncidentSubject;
  readonly reach: IncidentReach;
  readonly openedAt: Instant;
  readonly principalId?: PrincipalId | null;
  readonly grantId?: GrantId | null;
  readonly familyId?: FamilyId | null;
  readonly jti?: string | null;
  readonly jtiExpiresAt?: Instant | null;
  readonly kid?: KeyId | null;
  readonly epochTo?: number | null;
  readonly note?: string | null;
  readonly drill?: boolean;
}

const unknown = {
  principalId: null,
  grantId: null,
  familyId: null,
  jti: null,
  jtiExpiresAt: null,
  kid: null,
  epochTo: null,
  note: null,
  drill: false,
} as const;

export const newIncident = (found: NewIncident): OpenIncident => ({
  type: 'OpenIncident',
  data: { ...unknown, ...found },
});

/** One for the grant of a code that was used twice. */
export const replayIncident = ({
  grantId,
  principalId,
  subject,
  openedAt,
}: {
  readonly grantId: GrantId;
  readonly principalId: PrincipalId;
  readonly subject: 'authorization-code-replay' | 'device-code-replay';
  readonly openedAt: Instant;
}): OpenIncident => {
  const incidentId: string = grantId;
  return newIncident({
    ...{ subject, openedAt, principalId, grantId, incidentId: incidentId as IncidentId },
    ...{ severity: 'SEV-2', reach: 'grant' },
  });
};

export interface FamilyReuse {
  readonly incidentId: IncidentId;
  readonly principalId: PrincipalId;
  readonly familyId: FamilyId;
  readonly grantId: GrantId;
  readonly epochTo: number;
  readonly at: Instant;
}

/** Other grants of the person are unaffected. */
export const refreshReuseIncident = ({
  incidentId,
  principalId,
  grantId,
  familyId,
  epochTo,
  at,
}: FamilyReuse): OpenIncident =>
  newIncident({
    ...{ incidentId, principalId, grantId, familyId, epochTo, openedAt: at },
    ...{ severity: 'SEV-2', subject: 'refresh-token-reuse', reach: 'grant' },
  });

/** Recorded with what ends for it, where no reporter wrote another reason. */
const reasons: { readonly [subject in IncidentSubject]: string } = {
  'refresh-token-reuse': 'A refresh token was used twice.',
  'refresh-token-shown-by-another': 'Another client presented a refresh token.',
  'authorization-code-replay': 'Its authorization code was used twice.',
  'device-code-replay': 'Its device code was used twice.',
  'principal-compromise': 'The principal was marked as compromised.',
  'signing-key-compromise': 'The key was revoked.',
  reported: 'An incident was reported.',
  detected: 'An incident was detected.',
};

export const reasonOf = ({ subject, note }: Pick<Incident, 'subject' | 'note'>): string => note ?? reasons[subject];
