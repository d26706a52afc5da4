/** A version answers once its chunks are indexed: the first one as soon as its words are found, later ones when they are complete. */
import { policy, type Send, send } from '../../kernel/process';
import type { FileCommand } from '../file/decider';
import { ingestions } from '../ingestion/events';

export const activateVersionOnIndexed = policy({
  name: 'activate-version-on-indexed',
  context: 'files',
  subscribes: [ingestions],
  startFrom: 'first-event',
  key: ({ event }) =>
    event.type === 'IngestionPartlyReady' || event.type === 'IngestionReady' ? event.data.fileId : undefined,
  answer: ({ event }): readonly Send<'files.file', FileCommand>[] => {
    const { fileId, versionId, pipelineVersion } = event.data;
    const isComplete = event.type === 'IngestionReady';
    return [
      send('files.file', fileId, { type: 'ActivateVersion', ...{ fileId, versionId, pipelineVersion, isComplete } }),
    ];
  },
});
