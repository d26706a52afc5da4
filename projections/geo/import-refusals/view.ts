/** Lines of imports that were refused, and why: the first thousand of each import. */
import type { TypeOf } from 'io-ts';
import { ImportId } from '../../../domain/geo/ids';
import { mostRefusals, Refusal } from '../../../domain/geo/import/events';
import { fieldsOf, integer, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

/** Of one import. */
export const mostListedRefusals = mostRefusals;

export const ImportRefusalRow = record('ImportRefusalRow', {
  tenantId: TenantId,
  importId: ImportId,
  ...fieldsOf(Refusal),
  revision: integer(0),
});
export type ImportRefusalRow = TypeOf<typeof ImportRefusalRow>;

export const importRefusalsView: TableView<ImportRefusalRow> = table({
  name: 'geo_import_refusals',
  version: 1,
  row: ImportRefusalRow,
  key: ['tenantId', 'importId', 'line'],
});
