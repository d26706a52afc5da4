/** Queries of files in the query API. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import { getFileChunk } from './chunk';
import { type ContentReading, getFileContent } from './content';
import { getFile, listFiles } from './files';
import { type RetrievalReading, searchFiles } from './search/search-route';
import { getFileStatus } from './status';
import { listFileVersions } from './versions';

export const fileRoutes = (reading: ContentReading & RetrievalReading): readonly BoundRoute[] => [
  bind(reading, listFiles),
  bind(reading, getFile),
  bind(reading, getFileStatus),
  bind(reading, listFileVersions),
  bind(reading, getFileContent),
  bind(reading, getFileChunk),
  bind(reading, searchFiles),
];
