import { type ClientEvent, clients } from '../../../domain/identity/client/events';
import { on, patch, projection, put } from '../../kernel/projection';
import type { Recorded } from '../../kernel/recorded';
import { type ClientRow, clientsView } from './view';

const change = ({ data, at }: Recorded<ClientEvent>, fields: Partial<ClientRow> = {}) => {
  const key = { tenantId: at.tenantId, applicationId: data.applicationId as ClientRow['applicationId'] };
  return patch<ClientRow>(key, { ...fields, revision: at.revision });
};

export const clientsProjection = projection(clientsView, [
  on(clients, 'client', {
    ClientRegistered: ({ data, at }) => put<ClientRow>({ ...data, status: 'ACTIVE', ...at }),
    ClientChanged: (recorded) => {
      const { applicationId: _applicationId, ...metadata } = recorded.data;
      return change(recorded, metadata);
    },
    ClientSecretIssued: (recorded) => change(recorded),
    ClientSecretRevoked: (recorded) => change(recorded),
    ClientDisabled: (recorded) => change(recorded, { status: 'DISABLED' }),
    ClientEnabled: (recorded) => change(recorded, { status: 'ACTIVE' }),
  }),
]);
