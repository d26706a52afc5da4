/** An uploaded version is processed by the present pipeline. */
import { policy, type Send, send } from '../../kernel/process';
import { versionKey } from '../content/keys';
import { files } from '../file/events';
import type { IngestionCommand } from '../ingestion/decider';
import { ingestionIdOf } from '../ingestion/events';
import { pipelineVersion } from '../pipeline';

export const requestIngestionOnUploaded = policy({
  name: 'request-ingestion-on-uploaded',
  context: 'files',
  subscribes: [files],
  startFrom: 'first-event',
  key: ({ event, entityId }) => (event.type === 'VersionUploaded' ? entityId : undefined),
  answer: ({ event, tenant }): readonly Send<'files.ingestion', IngestionCommand>[] => {
    if (event.type !== 'VersionUploaded') return [];
    const { fileId, versionId, sizeBytes, mimeType, checksumSha256, etag, completedBy } = event.data;
    const source = { key: versionKey(tenant, fileId, versionId), etag, sizeBytes, checksumSha256, mimeType };
    return [
      send('files.ingestion', ingestionIdOf(versionId, pipelineVersion), {
        type: 'RequestIngestion',
        ...{ fileId, versionId, pipelineVersion, source, requestedBy: completedBy },
      }),
    ];
  },
});
