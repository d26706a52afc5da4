/** Once another version answers, chunks of the one before are not found any more. */
import { policy, type Send, send } from '../../kernel/process';
import { files } from '../file/events';
import type { IngestionCommand } from '../ingestion/decider';
import { ingestionIdOf } from '../ingestion/events';

export const withdrawChunksOnReplaced = policy({
  name: 'withdraw-chunks-on-replaced',
  context: 'files',
  subscribes: [files],
  startFrom: 'first-event',
  key: ({ event, entityId }) =>
    event.type === 'VersionActivated' && event.data.replaced !== null ? entityId : undefined,
  answer: ({ event }): readonly Send<'files.ingestion', IngestionCommand>[] => {
    if (event.type !== 'VersionActivated' || event.data.replaced === null) return [];
    const { fileId, replaced } = event.data;
    const { versionId, pipelineVersion } = replaced;
    return [
      send('files.ingestion', ingestionIdOf(versionId, pipelineVersion), {
        type: 'WithdrawChunks',
        ...{ fileId, versionId, pipelineVersion },
      }),
    ];
  },
});
