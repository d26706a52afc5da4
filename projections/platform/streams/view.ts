/** Every stream of the log, with its revision and its last event. */
import * as t from 'io-ts';
import { Instant, integer, nullable, record } from '../../../domain/kernel/codec';
import { type TableView, table } from '../../kernel/view';

/** Names are as in the log, foreign ones included. */
export const PlatformStreamRow = record('PlatformStreamRow', {
  /** Empty when the stream's name does not follow this system's convention, like the other parts of the name. */
  tenantId: t.string,
  stream: t.string,
  context: t.string,
  aggregate: t.string,
  id: t.string,
  /** Of the first event that was seen: what retention took away before that is not counted. */
  firstRevision: integer(0),
  firstAt: nullable(Instant),
  revision: integer(0),
  lastAt: nullable(Instant),
  lastType: t.string,
  /** Positions in the log, decimal. */
  firstPosition: t.string,
  lastPosition: t.string,
  /** The principal and the client that the first event names: they identify a stream whose id is a hash. */
  principalId: nullable(t.string),
  clientId: nullable(t.string),
});
export type PlatformStreamRow = t.TypeOf<typeof PlatformStreamRow>;

export const platformStreamsView: TableView<PlatformStreamRow> = table({
  name: 'platform_streams',
  version: 3,
  row: PlatformStreamRow,
  operators: true,
  patient: true,
  key: ['tenantId', 'stream'],
  columns: { firstPosition: 'bigint', lastPosition: 'bigint' },
  indexes: [
    ['stream'],
    ['firstPosition', 'stream'],
    ['lastPosition', 'stream'],
    ['tenantId', 'firstPosition', 'stream'],
    ['tenantId', 'lastPosition', 'stream'],
  ],
});
