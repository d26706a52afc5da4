import { imports } from '../../../domain/geo/import/events';
import { projection, putRow, streamsOf } from '../../kernel/projection';
import { type ImportRefusalRow, importRefusalsView } from './view';

export const importRefusalsProjection = projection(importRefusalsView, [
  streamsOf(imports, {
    ImportAdvanced: ({ data: { importId, refusals }, at }) =>
      refusals.flatMap((refusal) => putRow<ImportRefusalRow>({ importId, ...refusal, ...at })),
    ignored: ['ImportCreated', 'ImportStarted', 'ImportCompleted', 'ImportFailed', 'ImportCancelled'],
  }),
]);
