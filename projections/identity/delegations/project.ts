/** A delegation ends by its own event, with its grant, its session, or the epoch of its delegator. */
import { delegations } from '../../../domain/identity/delegation/events';
import { grants } from '../../../domain/identity/grant/events';
import { sessions } from '../../../domain/identity/session/events';
import { patchRow, patchRowsWhere, projection, putRow, streamsOf } from '../../kernel/projection';
import { endOnPrincipalEpoch } from '../principal-epoch-end';
import { type DelegationRow, delegationsView } from './view';

interface EndingEvent {
  readonly data: { readonly reason: string };
  readonly event: { readonly occurredAt: DelegationRow['createdAt'] };
}

const ended = ({ data, event }: EndingEvent) =>
  ({ status: 'REVOKED', endedAt: event.occurredAt, reason: data.reason }) as const;

type GrantEnding = EndingEvent & {
  readonly data: Pick<DelegationRow, 'grantId'>;
  readonly at: Pick<DelegationRow, 'tenantId'>;
};

/** Its own grant, or the one by which it was made. */
const endWithGrant = (recorded: GrantEnding) => {
  const { tenantId } = recorded.at;
  const { grantId } = recorded.data;
  return [{ grantId }, { sourceGrantId: grantId }].flatMap((which) =>
    patchRowsWhere<DelegationRow>({ tenantId, ...which, status: 'ACTIVE' }, ended(recorded)),
  );
};

export const delegationsProjection = projection(delegationsView, [
  streamsOf(delegations, {
    DelegationCreated: ({ data, at }) => {
      const { delegatorEpoch: _, ...fields } = data;
      return putRow<DelegationRow>({ ...fields, status: 'ACTIVE', endedAt: null, reason: null, ...at });
    },
    DelegationRevoked: (recorded) => {
      const { data, at } = recorded;
      const key = { tenantId: at.tenantId, delegationId: data.delegationId };
      return patchRow<DelegationRow>(key, { ...ended(recorded), revision: at.revision });
    },
  }),
  streamsOf(grants, {
    ignored: ['GrantOpened'],
    GrantRevoked: endWithGrant,
    GrantCompromised: endWithGrant,
  }),
  streamsOf(sessions, {
    ignored: ['SessionOpened', 'SessionSteppedUp', 'ClientSignedIn', 'ClientSignedOut'],
    SessionEnded: (recorded) =>
      patchRowsWhere<DelegationRow>(
        { tenantId: recorded.at.tenantId, sessionId: recorded.data.sessionId, status: 'ACTIVE' },
        ended(recorded),
      ),
  }),
  endOnPrincipalEpoch('grants', (recorded) =>
    patchRowsWhere<DelegationRow>(
      { tenantId: recorded.at.tenantId, delegatorId: recorded.data.principalId, status: 'ACTIVE' },
      ended(recorded),
    ),
  ),
]);
