/** Codec of the client table in snapshots. Rows are tuples, because there may be many. */
import * as t from 'io-ts';
import { integer, record, text } from '../../kernel/codec';
import { ClientId, NodeId, OperationId } from '../ids';
import type { IdRun } from './custom-ids';

const PrincipalId = text('PrincipalId', { maxLength: 128 });

/** Client, principal, last settled sequence. */
const ClientRow = t.tuple([ClientId, PrincipalId, integer(0)], 'ClientRow');

/** Operation, actor, version, and what inverted it (empty if nothing). */
const RecentRow = t.tuple(
  [OperationId, PrincipalId, integer(1), text('Inverter', { minLength: 0, maxLength: 64 })],
  'RecentRow',
);

/** Principal, and the day up to which its issued clients were evicted. */
const ForgottenRow = t.tuple([PrincipalId, integer(0)], 'ForgottenRow');

/** Operation, and the nodes that its inverse may create. */
const RestorableRow = t.tuple([OperationId, t.array(NodeId, 'RestorableNodes')], 'RestorableRow');

/** Operation and actor. */
const ChosenRow = t.tuple([OperationId, PrincipalId], 'ChosenRow');

export const ClientTableRecord = record(
  'ClientsRecord',
  {
    clients: t.array(ClientRow, 'ClientRows'),
    /** The oldest first. */
    recent: t.array(RecentRow, 'RecentRows'),
  },
  {
    // Optional, because older snapshots lack them. The oldest first.
    restorable: t.array(RestorableRow, 'RestorableRows'),
    forgotten: t.array(ForgottenRow, 'ForgottenRows'),
    chosen: t.array(ChosenRow, 'ChosenRows'),
  },
);
export type ClientTableRecord = t.TypeOf<typeof ClientTableRecord>;

/** With the runs of ids, which are stored as separate pieces. */
export type StoredClientTable = ClientTableRecord & { readonly idRuns?: readonly IdRun[] };
