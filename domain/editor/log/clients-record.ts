/** The table of clients as a snapshot keeps it: rows of values, for there may be many. */
import * as t from 'io-ts';
import { integer, record, text } from '../../kernel/codec';
import { ClientId, NodeId, OperationId } from '../ids';

const PrincipalId = text('PrincipalId', { maxLength: 128 });

/** Client, principal, the highest of its sequence that is settled. */
const ClientRow = t.tuple([ClientId, PrincipalId, integer(0)], 'ClientRow');

/** Operation, its actor, the version it became, what inverted it (empty: nothing). */
const RecentRow = t.tuple(
  [OperationId, PrincipalId, integer(1), text('Inverter', { minLength: 0, maxLength: 64 })],
  'RecentRow',
);

/** Operation, the nodes that an inverse of it may create. */
const RestorableRow = t.tuple([OperationId, t.array(NodeId, 'RestorableNodes')], 'RestorableRow');

export const ClientsRecord = record(
  'ClientsRecord',
  {
    clients: t.array(ClientRow, 'ClientRows'),
    /** The oldest first. */
    recent: t.array(RecentRow, 'RecentRows'),
  },
  {
    /** The oldest first. Earlier snapshots have none. */
    restorable: t.array(RestorableRow, 'RestorableRows'),
  },
);
export type ClientsRecord = t.TypeOf<typeof ClientsRecord>;
