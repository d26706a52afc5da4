import { type ClientEvent, clients } from '../../../../domain/identity/client/events';
import { ClientId } from '../../../../domain/identity/ids';
import { signingKeys } from '../../../../domain/identity/signing-keys/events';
import { streamsOf } from '../../../kernel/projection';
import type { RecordedEvent } from '../../../kernel/recorded-event';
import { type RowSource, row, type SecurityEventRow } from '../row';

/** client_id as in tokens. */
const clientIdOf = ({ data, at }: RecordedEvent<ClientEvent>): SecurityEventRow['clientId'] => {
  const clientId = `${at.tenantId}~${data.applicationId}`;
  return ClientId.is(clientId) ? clientId : null;
};

const clientRow = (recorded: RecordedEvent<ClientEvent>, summary: string, details: SecurityEventRow['details'] = {}) =>
  row(recorded, { clientId: clientIdOf(recorded), summary, details });

type ClientMetadata = Extract<ClientEvent, { type: 'ClientChanged' }>['data'];

/** Metadata that determines the client's abilities; keys and certificate names are left out. */
const powersOf = ({ redirectUris, grantTypes, authentication, scopes, audiences, firstParty }: ClientMetadata) => ({
  redirectUris,
  grantTypes,
  authentication,
  scopes,
  audiences,
  firstParty,
});

export const clientEvents: RowSource = streamsOf(clients, {
  ClientRegistered: (recorded) =>
    clientRow(recorded, `Client registered: ${recorded.data.name}`, powersOf(recorded.data)),
  ClientRegisteredItself: (recorded) => {
    const { metadataUrl } = recorded.data;
    return clientRow(recorded, 'The client registered itself.', { metadataUrl });
  },
  ClientLoosened: (recorded) => {
    const { respects } = recorded.data;
    return clientRow(recorded, `Client loosened: ${respects.join(', ')}.`, { respects });
  },
  ClientChanged: (recorded) => clientRow(recorded, `Client changed: ${recorded.data.name}`, powersOf(recorded.data)),
  ClientGrantsVoided: (recorded) => {
    const { at: notBefore, was } = recorded.data;
    const summary = 'Redirect URIs or authentication changed: consents and grants from before are void.';
    return row(recorded, { clientId: clientIdOf(recorded), summary, details: { notBefore, was } });
  },
  ClientSecretIssued: (recorded) => {
    const { credentialId, expiresAt } = recorded.data;
    return clientRow(recorded, 'Client secret issued.', { credentialId, expiresAt });
  },
  ClientSecretRevoked: (recorded) => {
    const { credentialId, reason } = recorded.data;
    return clientRow(recorded, `Client secret revoked: ${reason}`, { credentialId, reason });
  },
  ClientDisabled: (recorded) => {
    const { reason } = recorded.data;
    return clientRow(recorded, `Client disabled: ${reason}`, { reason });
  },
  ClientEnabled: (recorded) => {
    const { reason } = recorded.data;
    return clientRow(recorded, `Client enabled: ${reason}`, { reason });
  },
});

export const signingKeyEvents: RowSource = streamsOf(signingKeys, {
  KeyCreated: (recorded) => {
    const { kid, algorithm, keystore } = recorded.data;
    return row(recorded, { summary: `Signing key created for ${algorithm}.`, details: { kid, algorithm, keystore } });
  },
  KeyPublished: (recorded) => row(recorded, { summary: 'Signing key published.', details: { kid: recorded.data.kid } }),
  KeyActivated: (recorded) => row(recorded, { summary: 'Signing key is active.', details: { kid: recorded.data.kid } }),
  KeyRetired: (recorded) =>
    row(recorded, { summary: 'Signing key no longer signs.', details: { kid: recorded.data.kid } }),
  KeyRevoked: (recorded) => {
    const { kid, reason } = recorded.data;
    const summary = `Signing key revoked, and all that it signed: ${reason}`;
    return row(recorded, { summary, details: { kid, reason } });
  },
});
