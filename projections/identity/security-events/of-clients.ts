import { type ClientEvent, clients } from '../../../domain/identity/client/events';
import { ClientId } from '../../../domain/identity/ids';
import { on } from '../../kernel/projection';
import type { Recorded } from '../../kernel/recorded';
import { type RowSource, row } from './meaning';
import type { SecurityEventRow } from './row';

/** As tokens name it. */
const clientIdOf = ({ data, at }: Recorded<ClientEvent>): SecurityEventRow['clientId'] => {
  const clientId = `${at.tenantId}~${data.applicationId}`;
  return ClientId.is(clientId) ? clientId : null;
};

const ofClient = (recorded: Recorded<ClientEvent>, summary: string, details: SecurityEventRow['details'] = {}) =>
  row(recorded, { clientId: clientIdOf(recorded), summary, details });

type Metadata = Extract<ClientEvent, { type: 'ClientChanged' }>['data'];

/** What decides what it can do; keys and names of certificates are in the client itself. */
const powers = ({ redirectUris, grantTypes, authentication, scopes, audiences, firstParty }: Metadata) => ({
  ...{ redirectUris, grantTypes, authentication },
  ...{ scopes, audiences, firstParty },
});

export const ofClients: RowSource = on(clients, 'client', {
  ClientRegistered: (recorded) => ofClient(recorded, `Client registered: ${recorded.data.name}`, powers(recorded.data)),
  ClientChanged: (recorded) => ofClient(recorded, `Client changed: ${recorded.data.name}`, powers(recorded.data)),
  ClientSecretIssued: (recorded) => {
    const { credentialId, expiresAt } = recorded.data;
    return ofClient(recorded, 'Client secret issued.', { credentialId, expiresAt });
  },
  ClientSecretRevoked: (recorded) => {
    const { credentialId, reason } = recorded.data;
    return ofClient(recorded, `Client secret revoked: ${reason}`, { credentialId, reason });
  },
  ClientDisabled: (recorded) => {
    const { reason } = recorded.data;
    return ofClient(recorded, `Client disabled: ${reason}`, { reason });
  },
  ClientEnabled: (recorded) => {
    const { reason } = recorded.data;
    return ofClient(recorded, `Client enabled: ${reason}`, { reason });
  },
});
