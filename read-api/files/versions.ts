/** GET /v1/files/:fileId/versions: what was uploaded, the newest first. */
import { isLeft } from 'fp-ts/Either';
import { record } from '../../domain/kernel/codec';
import { route } from '../../infra/server/http/routing/route';
import { FileVersionRow, fileVersionsView } from '../../projections/files/versions/view';
import { pageAnswers, pageQuery } from '../kernel/pagination';
import { minPosition } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { queryPage } from '../kernel/row-queries';
import { FilePath, type FileReading, readProblems, requireReadableFile, scopes } from './file-reading';

const FileVersion = record('FileVersion', answerFields(FileVersionRow));

export const listFileVersions = route<FileReading>()({
  method: 'get',
  path: '/v1/files/:fileId/versions',
  operation: 'listFileVersions',
  summary: 'List the versions of a file, the newest first',
  description: '`isCurrent` marks the one that answers. The bytes of a version never change.',
  access: { scopes },
  params: FilePath,
  query: pageQuery('ListFileVersionsQuery', {}),
  headers: [minPosition],
  answers: pageAnswers('ListFileVersionsPage', FileVersion),
  problems: readProblems,
  handle: async (reading, { params: { fileId }, query: { limit, cursor }, ...rest }) => {
    const found = await requireReadableFile(reading, rest.identity, fileId);
    if (isLeft(found)) return found.left;
    const request = {
      where: { fileId },
      order: [
        { field: 'versionNumber', direction: 'desc' },
        { field: 'versionId', direction: 'desc' },
      ],
    } as const;
    const show = toResponseOf(FileVersion);
    return queryPage(
      reading,
      { operation: 'listFileVersions', view: fileVersionsView, request, limit, cursor, show },
      rest,
    );
  },
});
