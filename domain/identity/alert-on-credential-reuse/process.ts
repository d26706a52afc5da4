/** Alerts about refresh tokens and codes that were presented again: the log shows these, not decisions of gateways. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import { policy, type Send, send } from '../../kernel/process';
import { type CodeEvent, codes } from '../authorization-code/events';
import type { RaiseAlert } from '../detection/alert/decider';
import type { Alert, AlertId, AlertSubjectId } from '../detection/alert/events';
import { type DeviceRequestEvent, deviceRequests } from '../device-authorization/events';
import { type RefreshFamilyEvent, refreshFamilies } from '../refresh-family/events';

type Reused = Pick<Alert, 'rule' | 'principalId' | 'decidedAt'>;

const reused = (rule: Alert['rule'], principalId: PrincipalId, decidedAt: Instant): Reused => ({
  rule,
  principalId,
  decidedAt,
});

type CredentialEvent = CodeEvent | DeviceRequestEvent | RefreshFamilyEvent;

const reuseIn = (event: CredentialEvent): Reused | undefined => {
  if (event.type === 'FamilyCompromised') return reused('refresh-token-reuse', event.data.principalId, event.data.at);
  if (event.type === 'CodeReplayed' || event.type === 'DeviceReplayed')
    return reused('code-replay', event.data.principalId, event.data.replayedAt);
  return undefined;
};

/** The response to the reuse opens its incident. */
const once = { severity: 'SEV-2', count: 1, threshold: 1, windowSeconds: 1, opensIncident: false } as const;
const unknown = { principalType: null, jti: null, audience: null, reason: null, workloadId: null, clusterId: null };

export const alertOnCredentialReuse = policy<CredentialEvent, Send<'identity.alert', RaiseAlert>>({
  name: 'alert-on-credential-reuse',
  context: 'identity',
  subscribes: [refreshFamilies, codes, deviceRequests],
  startFrom: 'first-run',
  key: ({ event, entityId }) => (reuseIn(event) === undefined ? undefined : entityId),
  answer: ({ event, id, entityId }) => {
    const found = reuseIn(event);
    if (found === undefined) return [];
    const alert: Alert = { ...found, ...once, ...unknown, alertId: id as AlertId };
    const raise: RaiseAlert = { type: 'RaiseAlert', alert };
    return [send('identity.alert', entityId as AlertSubjectId, raise)];
  },
});
