/** Registered clients, without secrets. */
import type { TypeOf } from 'io-ts';
import { clientMetadata } from '../../../domain/identity/client/events';
import { ApplicationId } from '../../../domain/identity/ids';
import { Instant, integer, oneOf, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

const ClientStatus = oneOf('ClientStatus', ['ACTIVE', 'DISABLED']);

export const ClientRow = record('ClientRow', {
  tenantId: TenantId,
  applicationId: ApplicationId,
  status: ClientStatus,
  createdAt: Instant,
  ...clientMetadata,
  /** In small letters, for searches. */
  plainName: text('PlainClientName', { maxLength: 400 }),
  revision: integer(0),
});
export type ClientRow = TypeOf<typeof ClientRow>;

export const clientsView: TableView<ClientRow> = table({
  name: 'identity_clients',
  version: 3,
  row: ClientRow,
  key: ['tenantId', 'applicationId'],
  indexes: [['tenantId', 'createdAt', 'applicationId']],
});
