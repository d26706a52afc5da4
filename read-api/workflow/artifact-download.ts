/** GET /actions/artifacts/:artifactId/download: a signed address of the artifact's bytes. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { record } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import { ArtifactId } from '../../domain/workflow/ids';
import type { BlobStore } from '../../infra/ports/blob-store';
import type { EventStore } from '../../infra/ports/event-store';
import type { Clock } from '../../infra/ports/runtime/clock';
import { problem, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { artifactProblem, downloadSeconds, isAvailable, readArtifact } from '../../infra/server/workflow/artifacts';
import { artifactProblems } from '../../infra/server/workflow/problems';

export interface ArtifactDownloadDeps {
  readonly store: Pick<EventStore, 'read'>;
  readonly blobs: Pick<BlobStore, 'signGet'>;
  readonly clock: Clock;
}

export const downloadArtifact = route<ArtifactDownloadDeps>()({
  method: 'get',
  path: '/actions/artifacts/:artifactId/download',
  operation: 'downloadArtifact',
  summary: 'Download an artifact',
  description:
    'Redirects to a signed URL that serves the bytes (`.tar.gz`) for five minutes. With `Accept: application/json`, the answer is the URL.',
  access: { scopes: ['workflows:read'] },
  params: record('DownloadPath', { artifactId: ArtifactId }),
  answers: {
    200: { description: 'Where the bytes are.', body: record('ArtifactAddress', { url: t.string }) },
    302: { description: 'To the bytes.', headers: ['Location'] },
  },
  problems: artifactProblems,
  handle: async ({ store, blobs, clock }, { params: { artifactId }, identity: { tenantId }, headers }) => {
    if (!TenantId.is(tenantId)) return problem('forbidden', 'The tenant of the token is unknown.');
    const state = await readArtifact(store, tenantId, artifactId);
    if (isLeft(state)) return problemOf(state.left, {});
    if (state.right.kind === 'none' || state.right.kind === 'created')
      return artifactProblem('artifact-unknown', 'There is no such artifact, or it is not committed.');
    if (state.right.kind === 'deleted') return artifactProblem('artifact-deleted', 'The artifact was deleted.');
    const { storageKey, name } = state.right.definition;
    if (!isAvailable(state.right, clock.now())) return artifactProblem('artifact-expired', 'The artifact has expired.');
    const contentDisposition = `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.tar.gz`)}`;
    const signed = await blobs.signGet({ key: storageKey, seconds: downloadSeconds, contentDisposition });
    if (isLeft(signed)) return problemOf(signed.left, artifactProblems);
    const { url } = signed.right;
    const wantsJson = /\bapplication\/json\b/.test(headers.accept ?? '');
    return wantsJson ? { status: 200, body: { url } } : { status: 302, headers: { Location: url } };
  },
});
