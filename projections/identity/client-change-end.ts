/** Ends grants and refresh families of a client when its registration changes, which their own streams do not record. */
import { type ClientEvent, clients } from '../../domain/identity/client/events';
import { ClientId } from '../../domain/identity/ids';
import { type ProjectionSource, streamsOf } from '../kernel/projection';
import type { RecordedEvent } from '../kernel/recorded-event';

type Voiding = RecordedEvent<Extract<ClientEvent, { readonly type: 'ClientGrantsVoided' }>>;

/** The rows to end, and how. */
export interface ClientChangeEnd {
  readonly key: {
    readonly tenantId: Voiding['at']['tenantId'];
    readonly clientId: ClientId;
    readonly status: 'ACTIVE';
  };
  readonly ending: {
    readonly status: 'REVOKED';
    readonly endedAt: Voiding['event']['occurredAt'];
    readonly reason: string;
    readonly endedBy: 'client-change';
  };
}

const reason = 'Redirect URIs or authentication of the client changed.';

export const endOnClientChange = <Allowed>(
  end: (change: ClientChangeEnd) => readonly Allowed[],
): ProjectionSource<Allowed> =>
  streamsOf(clients, {
    ignored: [
      'ClientRegistered',
      'ClientRegisteredItself',
      'ClientChanged',
      'ClientLoosened',
      'ClientSecretIssued',
      'ClientSecretRevoked',
      'ClientDisabled',
      'ClientEnabled',
    ],
    ClientGrantsVoided: ({ data, at, event }) => {
      const clientId = `${at.tenantId}~${data.applicationId}`;
      if (!ClientId.is(clientId)) return [];
      return end({
        key: { tenantId: at.tenantId, clientId, status: 'ACTIVE' },
        ending: { status: 'REVOKED', endedAt: event.occurredAt, reason, endedBy: 'client-change' },
      });
    },
  });
