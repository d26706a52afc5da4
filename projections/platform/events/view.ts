/** Where every event is, and what caused it: found by its id, and by the conversation it belongs to. */
import * as t from 'io-ts';
import { Instant, integer, nullable, record } from '../../../domain/kernel/codec';
import { type TableView, table } from '../../kernel/view';

export const PlatformEventRow = record('PlatformEventRow', {
  /** Empty where the stream is of no tenant. */
  tenantId: t.string,
  eventId: t.string,
  stream: t.string,
  revision: integer(0),
  /** Decimal. */
  position: t.string,
  type: t.string,
  correlationId: nullable(t.string),
  causationId: nullable(t.string),
  commandId: nullable(t.string),
  at: nullable(Instant),
});
export type PlatformEventRow = t.TypeOf<typeof PlatformEventRow>;

export const platformEventsView: TableView<PlatformEventRow> = table({
  name: 'platform_events',
  version: 1,
  row: PlatformEventRow,
  operators: true,
  patient: true,
  key: ['tenantId', 'eventId'],
  columns: { position: 'bigint' },
  indexes: [['correlationId', 'position']],
});
