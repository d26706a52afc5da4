/**
 * Containment after refresh token reuse. The token endpoint does all of it before it responds; this policy completes what was cut short.
 * Each command is idempotent.
 */
import { policy, send } from '../../kernel/process';
import type { CompromiseGrant } from '../grant/decider';
import type { OpenIncident } from '../incident/decider';
import type { BumpEpoch } from '../principal/status';
import { type RefreshFamilyEvent, refreshFamilies } from '../refresh-family/events';

export type FamilyCompromised = Omit<
  Extract<RefreshFamilyEvent, { type: 'FamilyCompromised' }>['data'],
  'presentedHash'
>;

const reason = 'A refresh token was used twice.';

export const containment = (found: FamilyCompromised) => {
  const { familyId, grantId, principalId, incidentId, epochTo: to, at: openedAt } = found;
  const about = {
    incidentId,
    severity: 'SEV-2',
    subject: 'refresh-token-reuse',
    principalId,
    grantId,
    familyId,
  } as const;
  const compromise: CompromiseGrant = { type: 'CompromiseGrant', incidentId, reason };
  // Other grants of the person are unaffected.
  const bump: BumpEpoch = { type: 'BumpEpoch', principalId, to, grants: 'kept', reason, at: openedAt };
  const open: OpenIncident = { type: 'OpenIncident', data: { ...about, openedAt } };
  return { compromise, bump, open };
};

export const containOnFamilyCompromised = policy({
  name: 'contain-on-family-compromised',
  context: 'identity',
  subscribes: [refreshFamilies],
  startFrom: 'first-event',
  key: ({ event, entityId: entity }) => (event.type === 'FamilyCompromised' ? entity : undefined),
  answer: ({ event }) => {
    if (event.type !== 'FamilyCompromised') return [];
    const { compromise, bump, open } = containment(event.data);
    const { grantId, principalId, incidentId } = event.data;
    return [
      send('identity.grant', grantId, compromise),
      send('identity.principal', principalId, bump),
      send('identity.incident', incidentId, open),
    ];
  },
});
