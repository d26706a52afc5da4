/** GET /v1/files/:fileId/explain: why a principal sees a file and its passages, or not. For administrators, who see nothing of its content by it. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { HiddenReason, ResourceType } from '../../domain/files/access/events';
import { type AccessExplanation, explainAccess } from '../../domain/files/access/explain';
import { holdOn } from '../../domain/files/access/state';
import { FileErrorCode } from '../../domain/files/content/error-code';
import type { CreatedFileState } from '../../domain/files/file/state';
import { FileGrantId, FileId, FolderId, GroupId, VersionId } from '../../domain/files/ids';
import { ingestionIdOf, ingestionStream, ingestions } from '../../domain/files/ingestion/events';
import { evolveProgress, type IngestionProgress, noProgress } from '../../domain/files/ingestion/progress';
import { pipelineVersion as newestPipeline } from '../../domain/files/pipeline';
import { FileRole } from '../../domain/files/roles';
import { listOf, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import { PrincipalId } from '../../domain/kernel/ids';
import { loadAggregate } from '../../infra/server/aggregates/load-aggregate';
import { readFile, readFileAccess } from '../../infra/server/files/file-access';
import { problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { type PrincipalRow, principalsView } from '../../projections/identity/principals/view';
import { FilePath, type FileReading, readProblems, tenantOf } from './file-reading';
import { statusVersionOf } from './status';

const AccessPathAnswer = record('FileAccessPath', {
  resourceType: ResourceType,
  resourceId: text('FileAccessResource', { maxLength: 128, examples: ['f0a1b2c3'] }),
  /** `owner`, or the subject of the grant: the principal, a group with it, or the whole tenant. */
  by: oneOf('FileAccessBy', ['owner', 'user', 'group', 'tenant']),
  grantId: nullable(FileGrantId),
  groupId: nullable(GroupId),
  role: FileRole,
});

const Reason = oneOf('FileVisibilityReason', [
  'principal_unknown',
  'principal_inactive',
  'owner',
  'granted',
  'not_shared',
  'hidden',
  'folder_trashed',
  'folder_unknown',
]);

const SearchState = oneOf('FileSearchReason', [
  'searchable',
  'searchable_by_words',
  'not_uploaded',
  'upload_expired',
  'not_processed',
  'processing',
  'failed',
]);

const Explanation = record('FileAccessExplanation', {
  fileId: FileId,
  principalId: PrincipalId,
  /** Whether lists, searches and answers show the file to the principal. */
  isVisible: t.boolean,
  reason: Reason,
  /** The highest of all ways; null where the principal does not see the file. */
  role: nullable(FileRole),
  /** Each way to a role, also where something stands against it. */
  paths: listOf('FileAccessPaths', AccessPathAnswer, 10_000),
  /** Folders from the file up to the top. */
  folders: listOf(
    'FileFolderChain',
    record('FileExplainedFolder', { folderId: FolderId, isTrashed: t.boolean }),
    10_000,
  ),
  /** Why the file is hidden from all. */
  hidden: listOf('FileHiddenReasons', HiddenReason, 3),
  /** Who keeps it from being deleted for ever; null without a legal hold. The reason stays in the log, below the key of the file. */
  heldBy: nullable(PrincipalId),
  /** Whether its passages are found at all. */
  search: record('FileSearchState', {
    reason: SearchState,
    versionId: nullable(VersionId),
    errorCode: nullable(FileErrorCode),
  }),
});
type Explanation = t.TypeOf<typeof Explanation>;

const reasonOf = (
  { role, paths, folders, isDetached, hidden }: AccessExplanation,
  status: PrincipalRow['status'] | undefined,
): Explanation['reason'] => {
  if (status === undefined) return 'principal_unknown';
  if (status !== 'ACTIVE') return 'principal_inactive';
  if (hidden.length > 0) return 'hidden';
  if (folders.some(({ isTrashed }) => isTrashed)) return 'folder_trashed';
  if (isDetached) return 'folder_unknown';
  if (role === undefined) return 'not_shared';
  return paths.some(({ by }) => by === 'owner') ? 'owner' : 'granted';
};

const searchOf = (file: CreatedFileState, progress: IngestionProgress): Explanation['search'] => {
  const version = statusVersionOf(file);
  const versionId = version?.versionId ?? null;
  const errorCode = Object.values(progress.stages).find((stage) => stage.errorCode !== null)?.errorCode ?? null;
  const because = (reason: Explanation['search']['reason']): Explanation['search'] => ({
    reason,
    versionId,
    errorCode,
  });
  if (version === undefined || version.upload === 'open') return because('not_uploaded');
  if (version.upload === 'expired') return because('upload_expired');
  if (file.active !== undefined) return because(progress.kind === 'ready' ? 'searchable' : 'searchable_by_words');
  if (progress.kind === 'none') return because('not_processed');
  return because(progress.kind === 'failed' ? 'failed' : 'processing');
};

const rules = { family: ingestions, initial: noProgress, evolve: evolveProgress };

export const explainFileAccess = route<FileReading>()({
  method: 'get',
  path: '/v1/files/:fileId/explain',
  operation: 'explainFileAccess',
  summary: 'Explain why a principal sees a file, or not',
  description:
    'Folded from the log when it is asked, as searches and answers are. `paths` has every way to a role: ownership and grants, of the file and of the folders above it. `search` says whether passages of the file are found at all, `heldBy` who put it under a legal hold. Neither names nor content of the file are in it. `principal_unknown` and `principal_inactive`: the principal does not exist, or is suspended or compromised, and sees nothing, also of what is shared with the whole tenant; `paths` shows what it would have.',
  access: { scopes: ['files:admin'] },
  params: FilePath,
  query: record('FileExplainQuery', { principalId: PrincipalId }),
  answers: { 200: { description: 'Why, or why not.', body: Explanation } },
  problems: readProblems,
  handle: async ({ source, views }, { params: { fileId }, query: { principalId }, identity }) => {
    const tenant = tenantOf(identity);
    if (isLeft(tenant)) return tenant.left;
    const [file, access, principals] = await Promise.all([
      readFile(source, tenant.right, fileId),
      readFileAccess(source, tenant.right),
      views.findMany(principalsView, tenant.right, [{ principalId }]),
    ]);
    if (isLeft(file)) return problemOf(file.left, {});
    if (isLeft(access)) return problemOf(access.left, {});
    if (isLeft(principals)) return problemOf(principals.left, {});
    if (file.right.kind === 'none')
      return problemOf({ kind: 'rejection', code: 'file-unknown', detail: 'There is no such file.' }, readProblems);
    const version = statusVersionOf(file.right);
    const isActive = version !== undefined && file.right.active?.versionId === version.versionId;
    const pipelineVersion = isActive ? file.right.active.pipelineVersion : newestPipeline;
    const progress =
      version === undefined
        ? undefined
        : await loadAggregate(
            source,
            rules,
            ingestionStream(tenant.right, ingestionIdOf(version.versionId, pipelineVersion)),
          );
    if (progress !== undefined && isLeft(progress)) return problemOf(progress.left, {});
    const explanation = explainAccess(access.right, principalId, file.right);
    const { paths, folders, hidden } = explanation;
    const status = principals.right[0]?.status;
    const role = status === 'ACTIVE' ? explanation.role : undefined;
    return {
      status: 200,
      body: {
        fileId,
        principalId,
        isVisible: role !== undefined,
        reason: reasonOf(explanation, status),
        role: role ?? null,
        paths,
        folders,
        hidden,
        heldBy: holdOn(access.right, fileId)?.heldBy ?? null,
        search: searchOf(file.right, progress?.right.state ?? noProgress),
      },
    };
  },
});
