import type { ImportId } from '../../../domain/geo/ids';
import { type ImportEvent, imports } from '../../../domain/geo/import/events';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type ImportRow, importsView } from './view';

const change = (
  importId: ImportId,
  { at: { tenantId, revision }, event }: Pick<RecordedEvent<ImportEvent>, 'at' | 'event'>,
  fields: Partial<ImportRow>,
) => patchRow<ImportRow>({ tenantId, importId }, { ...fields, updatedAt: event.occurredAt, revision });

export const importsProjection = projection(importsView, [
  streamsOf(imports, {
    ImportCreated: ({ data: { importId, ...definition }, at, event }) =>
      putRow<ImportRow>({
        importId,
        definition,
        status: 'created',
        progress: { lines: 0, recorded: 0, unchanged: 0, outdated: 0, refused: 0, permille: 0 },
        reason: null,
        createdAt: event.occurredAt,
        updatedAt: event.occurredAt,
        ...at,
      }),
    ImportStarted: ({ data, ...recorded }) => change(data.importId, recorded, { status: 'running' }),
    ImportAdvanced: ({ data, ...recorded }) => change(data.importId, recorded, { progress: data.progress }),
    ImportCompleted: ({ data, ...recorded }) => change(data.importId, recorded, { status: 'completed' }),
    ImportFailed: ({ data, ...recorded }) => change(data.importId, recorded, { status: 'failed', reason: data.reason }),
    ImportCancelled: ({ data, ...recorded }) => change(data.importId, recorded, { status: 'cancelled' }),
  }),
]);
