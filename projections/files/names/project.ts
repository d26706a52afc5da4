import { files } from '../../../domain/files/file/events';
import { isForgotten } from '../../../domain/kernel/secret';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import { type FileNameRow, fileNamesView } from './view';

export const fileNamesProjection = projection(fileNamesView, [
  streamsOf(files, {
    FileCreated: ({ data: { fileId, name }, at }) =>
      putRow<FileNameRow>({ fileId, name: isForgotten(name) ? null : name, ...at }),
    FileRenamed: ({ data: { fileId, name }, at: { tenantId, revision } }) =>
      patchRow<FileNameRow>({ tenantId, fileId }, { name: isForgotten(name) ? null : name, revision }),
    ignored: ['VersionOpened', 'VersionUploaded', 'VersionExpired', 'VersionActivated', 'VersionSuperseded'],
  }),
]);
