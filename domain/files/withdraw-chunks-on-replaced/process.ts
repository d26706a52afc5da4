/** Chunks of a version that another one answers in place of are not found any more. */
import { policy, type Send, send } from '../../kernel/process';
import { type FileEvent, files } from '../file/events';
import type { ActiveVersion } from '../file/state';
import type { IngestionCommand } from '../ingestion/decider';
import { ingestionIdOf } from '../ingestion/events';

const replacedBy = ({ type, data }: FileEvent): ActiveVersion | undefined => {
  if (type === 'VersionSuperseded') return data;
  return type === 'VersionActivated' ? (data.replaced ?? undefined) : undefined;
};

export const withdrawChunksOnReplaced = policy({
  name: 'withdraw-chunks-on-replaced',
  context: 'files',
  subscribes: [files],
  startFrom: 'first-event',
  key: ({ event, entityId }) => (replacedBy(event) === undefined ? undefined : entityId),
  answer: ({ event }): readonly Send<'files.ingestion', IngestionCommand>[] => {
    const replaced = replacedBy(event);
    if (replaced === undefined) return [];
    const { fileId } = event.data;
    const { versionId, pipelineVersion } = replaced;
    return [
      send('files.ingestion', ingestionIdOf(versionId, pipelineVersion), {
        type: 'WithdrawChunks',
        ...{ fileId, versionId, pipelineVersion },
      }),
    ];
  },
});
