/** Route by which administrators have files processed again at once, where workers would do so within minutes. */
import { isLeft } from 'fp-ts/Either';
import { FileId } from '../../../domain/files/ids';
import { integer, listOf, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { commonProblems, problem, problemOf } from '../../../infra/server/http/problem';
import { route } from '../../../infra/server/http/routing/route';
import type { CommandDeps } from '../../kernel/command-spec';
import { callerOf } from '../../kernel/handle-request';
import type { IndexedFiles } from './indexed-files';
import { requestReindexing } from './request-reindexing';

export interface ReindexDeps extends CommandDeps {
  readonly indexedFiles: IndexedFiles;
  /** As this process is set up; undefined: vectors stay as they are. */
  readonly embeddingModel: string | undefined;
}

const problems = {
  'event-store-unavailable': commonProblems['event-store-unavailable'],
  'event-store-ambiguous': commonProblems['event-store-ambiguous'],
  'vault-unavailable': commonProblems['vault-unavailable'],
  conflict: commonProblems.conflict,
};

export const reindexFiles = route<ReindexDeps>()({
  method: 'post',
  path: '/v1/files/reindex',
  operation: 'reindexFiles',
  summary: 'Process files again that an older pipeline or another embedding model processed',
  description:
    'Workers find such files by themselves; this begins with them at once. A file answers as before until it is indexed anew, and after that only so. Up to 20 files of an organization are processed again at once, after all uploads; the others follow by themselves. `fileIds` restricts it to these; ids of which there is no such file are left out without a trace.',
  access: { scopes: ['files:admin'] },
  sensitive: false,
  body: record('FileReindexing', {}, { fileIds: listOf('ReindexedFileIds', FileId, 1_000) }),
  answers: {
    200: {
      description: 'How many are due.',
      body: record('RequestedFileReindexing', {
        /** To be processed again, with the ones that were begun now. */
        due: integer(0),
        /** Begun now. */
        requested: integer(0),
        /** Begun before, and not done yet. */
        running: integer(0),
      }),
    },
  },
  problems,
  handle: async (deps, { body: { fileIds }, identity, requestId, signal }) => {
    const { tenantId: tenant } = identity;
    if (!TenantId.is(tenant)) return problem('forbidden', 'The tenant of the token is unknown.');
    const tenants = await deps.indexedFiles.read(signal);
    if (isLeft(tenants)) return problemOf(tenants.left, problems);
    const wanted = fileIds === undefined ? undefined : new Set(fileIds);
    const requested = await requestReindexing(deps, {
      ...{ tenant, files: tenants.right.get(tenant)?.values() ?? [], model: deps.embeddingModel },
      ...(wanted === undefined ? {} : { isWanted: ({ fileId }) => wanted.has(fileId) }),
      ...{ actor: callerOf(identity), correlationId: requestId },
    });
    return isLeft(requested) ? problemOf(requested.left, problems) : { status: 200, body: requested.right };
  },
});
