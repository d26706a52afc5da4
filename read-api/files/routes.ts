/** Queries of files in the query API. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import { getFileAccess, getFileFolderAccess } from './access/access';
import { getFileFolder, listFileFolders } from './access/folders';
import { getFileGroup, listFileGroups } from './access/groups';
import { listFilePeople } from './access/people';
import { answerQuestion } from './answer/answer-route';
import type { AnswerReading } from './answer/compose-answer';
import { getFileChunk } from './chunk';
import { listFileChunks } from './chunk-list';
import { type ContentReading, getFileContent } from './content';
import { getFileDeletion, listFileDeletions } from './deletions';
import { explainFileAccess } from './explain';
import { getFile, listFiles } from './files';
import { listFileOrphans } from './orphans';
import { searchFiles } from './search/search-route';
import { getFileStatus } from './status';
import { getFileUsage } from './usage';
import { listFileVersions } from './versions';

export const fileRoutes = (reading: ContentReading & AnswerReading): readonly BoundRoute[] => [
  bind(reading, listFiles),
  bind(reading, getFile),
  bind(reading, getFileStatus),
  bind(reading, listFileVersions),
  bind(reading, getFileContent),
  bind(reading, getFileChunk),
  bind(reading, getFileAccess),
  bind(reading, listFileFolders),
  bind(reading, getFileFolder),
  bind(reading, getFileFolderAccess),
  bind(reading, listFileGroups),
  bind(reading, getFileGroup),
  bind(reading, listFilePeople),
  bind(reading, listFileChunks),
  bind(reading, explainFileAccess),
  bind(reading, searchFiles),
  bind(reading, getFileDeletion),
  bind(reading, listFileDeletions),
  bind(reading, getFileUsage),
  bind(reading, listFileOrphans),
  bind(reading, answerQuestion),
];
