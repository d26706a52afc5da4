/** The table of clients as a snapshot keeps it: rows of values, for there may be many. */
import * as t from 'io-ts';
import { integer, record, text } from '../../kernel/codec';
import { ClientId, NodeId, OperationId } from '../ids';
import type { IdRun } from './custom-ids';

const PrincipalId = text('PrincipalId', { maxLength: 128 });

/** Client, principal, the highest of its sequence that is settled. */
const ClientRow = t.tuple([ClientId, PrincipalId, integer(0)], 'ClientRow');

/** Operation, its actor, the version it became, what inverted it (empty: nothing). */
const RecentRow = t.tuple(
  [OperationId, PrincipalId, integer(1), text('Inverter', { minLength: 0, maxLength: 64 })],
  'RecentRow',
);

/** Principal, the day up to which clients that were issued to it are forgotten. */
const ForgottenRow = t.tuple([PrincipalId, integer(0)], 'ForgottenRow');

/** Operation, the nodes that an inverse of it may create. */
const RestorableRow = t.tuple([OperationId, t.array(NodeId, 'RestorableNodes')], 'RestorableRow');

/** Operation and its actor. */
const ChosenRow = t.tuple([OperationId, PrincipalId], 'ChosenRow');

export const ClientTableRecord = record(
  'ClientsRecord',
  {
    clients: t.array(ClientRow, 'ClientRows'),
    /** The oldest first. */
    recent: t.array(RecentRow, 'RecentRows'),
  },
  {
    // Snapshots that were taken before these existed have none. The oldest first.
    restorable: t.array(RestorableRow, 'RestorableRows'),
    forgotten: t.array(ForgottenRow, 'ForgottenRows'),
    chosen: t.array(ChosenRow, 'ChosenRows'),
  },
);
export type ClientTableRecord = t.TypeOf<typeof ClientTableRecord>;

/** With the runs of ids, which are pieces of their own. */
export type StoredClientTable = ClientTableRecord & { readonly idRuns?: readonly IdRun[] };
