import { type ClientEvent, clients } from '../../../domain/identity/client/events';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type ClientRow, clientsView } from './view';

const plain = (name: string): string => name.toLowerCase();

const change = ({ data, at }: RecordedEvent<ClientEvent>, fields: Partial<ClientRow> = {}) => {
  const key = { tenantId: at.tenantId, applicationId: data.applicationId as ClientRow['applicationId'] };
  return patchRow<ClientRow>(key, { ...fields, revision: at.revision });
};

export const clientsProjection = projection(clientsView, [
  streamsOf(clients, {
    ClientRegistered: ({ data, at }) =>
      putRow<ClientRow>({ ...data, plainName: plain(data.name), status: 'ACTIVE', ...at }),
    ClientRegisteredItself: (recorded) => change(recorded),
    ClientChanged: (recorded) => {
      const { applicationId: _applicationId, ...metadata } = recorded.data;
      return change(recorded, { ...metadata, plainName: plain(metadata.name) });
    },
    ClientLoosened: (recorded) => change(recorded),
    ClientGrantsVoided: (recorded) => change(recorded),
    ClientSecretIssued: (recorded) => change(recorded),
    ClientSecretRevoked: (recorded) => change(recorded),
    ClientDisabled: (recorded) => change(recorded, { status: 'DISABLED' }),
    ClientEnabled: (recorded) => change(recorded, { status: 'ACTIVE' }),
  }),
]);
