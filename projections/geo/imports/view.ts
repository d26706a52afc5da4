/** Imports of files, and how far they are. */
import type { TypeOf } from 'io-ts';
import { ImportId } from '../../../domain/geo/ids';
import { ImportDefinition, ImportProgress } from '../../../domain/geo/import/events';
import { Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

/** `created`: the file is still to be uploaded. */
export const ImportStatus = oneOf('ImportStatus', ['created', 'running', 'completed', 'failed', 'cancelled']);

export const ImportRow = record('ImportRow', {
  tenantId: TenantId,
  importId: ImportId,
  definition: ImportDefinition,
  status: ImportStatus,
  progress: ImportProgress,
  /** Why it failed. */
  reason: nullable(text('ImportRowReason', { maxLength: 300 })),
  createdAt: Instant,
  updatedAt: Instant,
  revision: integer(0),
});
export type ImportRow = TypeOf<typeof ImportRow>;

export const importsView: TableView<ImportRow> = table({
  name: 'geo_imports',
  version: 1,
  row: ImportRow,
  key: ['tenantId', 'importId'],
  indexes: [['tenantId', 'createdAt', 'importId']],
});
