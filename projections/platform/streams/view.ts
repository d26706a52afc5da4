/** Every stream of the log: how far it goes, and what came last. */
import * as t from 'io-ts';
import { Instant, integer, nullable, record } from '../../../domain/kernel/codec';
import { type TableView, table } from '../../kernel/view';

/** Names are as they stand in the log, whoever gave them. */
export const PlatformStreamRow = record('PlatformStreamRow', {
  /** Empty where the stream is not named as ours are; so are the other parts of the name. */
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
});
export type PlatformStreamRow = t.TypeOf<typeof PlatformStreamRow>;

export const platformStreamsView: TableView<PlatformStreamRow> = table({
  name: 'platform_streams',
  version: 1,
  row: PlatformStreamRow,
  operators: true,
  patient: true,
  key: ['tenantId', 'stream'],
  indexes: [['stream']],
});
