/**
 * The part of the workflow service for artifacts: a job creates one and uploads its bytes by a signed request; it is committed, and with that
 * listed, once its bytes were seen in object storage. Its name belongs to an attempt of a job's run, and its bytes never change.
 */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Instant, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type ArtifactCommand, type ArtifactState, artifact } from '../../../domain/workflow/artifact/decider';
import { ArtifactName } from '../../../domain/workflow/artifact/events';
import { ArtifactId, type Checksum, JobId } from '../../../domain/workflow/ids';
import {
  ArtifactDownloads,
  ArtifactUpload,
  CommitArtifact,
  CreateArtifact,
} from '../../../domain/workflow/protocol/runner';
import { artifactStream } from '../../../domain/workflow/streams';
import { commonProblems, type Problem, problem, problemOf } from '../../../infra/http/problem';
import { type BoundRoute, bind, route } from '../../../infra/http/routing/route';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import type { JobTokenClaims } from '../job-token';
import type { WorkflowPart, WorkflowPlatform } from '../platform';
import { authenticateJob } from './authenticate-job';
import { artifactProblems } from './problems';

const problems = {
  ...artifactProblems,
  unauthenticated: commonProblems.unauthenticated,
  'event-store-unavailable': commonProblems['event-store-unavailable'],
  'event-store-ambiguous': commonProblems['event-store-ambiguous'],
};
const authorization = { name: 'Authorization', description: 'Bearer, with the token of the job.', required: true };
const ofJob = { access: 'public', sensitive: false, headers: [authorization], problems } as const;

/** 5 GiB at a megabit per second take twelve hours. */
const uploadSeconds = 12 * 3_600;
const downloadSeconds = 300;
const contentType = 'application/octet-stream';
const dayMilliseconds = 86_400_000;

type Defined = Exclude<ArtifactState, { kind: 'none' }>;

/** A job that is tried again has other artifacts, so that its names are free. */
const artifactIdOf = ({ tenantId, runId, attempt }: JobTokenClaims, name: string): ArtifactId =>
  derivedId('workflow-artifact', tenantId, runId, attempt, name) as ArtifactId;

const command = async (
  platform: WorkflowPlatform,
  { tenantId, runId, jobId, epoch }: JobTokenClaims,
  { artifactId, decided }: { readonly artifactId: ArtifactId; readonly decided: ArtifactCommand },
): Promise<Problem | undefined> => {
  const handled = await handle(platform, artifact, {
    stream: artifactStream(tenantId, artifactId),
    command: decided,
    commandId: derivedId('workflow-artifact', decided.type, tenantId, artifactId, jobId, epoch),
    // The time of expiry is another when the request is repeated.
    fingerprint: [decided.type, artifactId],
    tenant: tenantId,
    actor: `job:${jobId}`,
    correlationId: runId,
  });
  return isLeft(handled) ? problemOf(handled.left, artifactProblems) : undefined;
};

const createArtifact = route<WorkflowPlatform>()({
  ...ofJob,
  method: 'post',
  path: '/runner/jobs/:jobId/artifacts',
  operation: 'createArtifact',
  summary: 'Announce an artifact, and sign the request that uploads it',
  description:
    'The upload takes exactly the bytes announced, within twelve hours. The same again signs another request.',
  params: record('ArtifactJobPath', { jobId: JobId }),
  body: CreateArtifact,
  answers: { 201: { description: 'PUT the bytes, then commit.', body: ArtifactUpload } },
  handle: async (platform, { params: { jobId }, body, headers }) => {
    const { epoch, name, sizeBytes, checksum, retentionDays } = body;
    const job = await authenticateJob(platform, { authorization: headers.authorization, jobId, epoch });
    if (isLeft(job)) return job.left;
    const { tenantId, runId, attempt } = job.right;
    const artifactId = artifactIdOf(job.right, name);
    const indexed = await platform.artifacts.add({ tenantId, runId }, artifactId);
    if (isLeft(indexed)) return problemOf(indexed.left, artifactProblems);
    const storageKey = `workflow/${tenantId}/artifacts/${artifactId}/${checksum.slice('sha256:'.length)}`;
    const expires = Date.parse(platform.clock.now()) + retentionDays * dayMilliseconds;
    const expiresAt = new Date(expires).toISOString() as Instant;
    const definition = { artifactId, runId, jobId, attempt, name, storageKey, sizeBytes, checksum, expiresAt };
    const refused = await command(platform, job.right, {
      artifactId,
      decided: { type: 'CreateArtifact', definition },
    });
    if (refused !== undefined) return refused;
    const state = await loadStream(platform, artifact, artifactStream(tenantId, artifactId));
    if (isLeft(state)) return problemOf(state.left, {});
    // A repeated command is not decided again.
    const differs = state.right.kind === 'none' || state.right.definition.checksum !== checksum;
    if (differs)
      return problemOf(
        { kind: 'rejection', code: 'artifact-exists', detail: 'There is an artifact of this name with other bytes.' },
        artifactProblems,
      );
    const sha256 = checksum.slice('sha256:'.length);
    const signed = await platform.blobs.signPut({
      ...{ key: storageKey, size: sizeBytes, sha256, contentType, seconds: uploadSeconds },
    });
    if (isLeft(signed)) return problemOf(signed.left, artifactProblems);
    const { url, headers: signedHeaders } = signed.right;
    return { status: 201, body: { artifactId, partBytes: null, requests: [{ url, headers: signedHeaders }] } };
  },
});

const commitArtifact = route<WorkflowPlatform>()({
  ...ofJob,
  method: 'post',
  path: '/runner/jobs/:jobId/artifacts/:artifactId/commit',
  operation: 'commitArtifact',
  summary: 'Commit an artifact whose bytes are uploaded',
  params: record('ArtifactPath', { jobId: JobId, artifactId: ArtifactId }),
  body: CommitArtifact,
  answers: { 204: { description: 'It is listed from now on.' } },
  handle: async (platform, { params: { jobId, artifactId }, body: { epoch }, headers }) => {
    const job = await authenticateJob(platform, { authorization: headers.authorization, jobId, epoch });
    if (isLeft(job)) return job.left;
    const { tenantId, runId } = job.right;
    const state = await loadStream(platform, artifact, artifactStream(tenantId, artifactId));
    if (isLeft(state)) return problemOf(state.left, {});
    if (state.right.kind === 'none' || state.right.definition.runId !== runId)
      return problemOf(
        { kind: 'rejection', code: 'artifact-unknown', detail: 'There is no such artifact of this run.' },
        artifactProblems,
      );
    const head = await platform.blobs.head(state.right.definition.storageKey);
    if (isLeft(head)) return problemOf(head.left, artifactProblems);
    const { size: sizeBytes, sha256 } = head.right;
    const stored = { sizeBytes, checksum: sha256 === null ? null : (`sha256:${sha256}` as Checksum) };
    const decided = { type: 'CommitArtifact', artifactId, stored } as const;
    return (await command(platform, job.right, { artifactId, decided })) ?? { status: 204 };
  },
});

const isAvailable = ({ kind, definition }: Defined, now: string): boolean =>
  kind === 'committed' && definition.expiresAt > now;

/** Committed artifacts of a run; of several of one name, that of the newest attempt. */
const availableArtifacts = async (
  platform: WorkflowPlatform,
  { tenantId, runId }: JobTokenClaims,
): Promise<Either<Problem, readonly Defined['definition'][]>> => {
  const ids = await platform.artifacts.of({ tenantId, runId });
  if (isLeft(ids)) return left(problemOf(ids.left, artifactProblems));
  const byName = new Map<string, Defined['definition']>();
  for (const artifactId of ids.right) {
    const state = await loadStream(platform, artifact, artifactStream(tenantId, artifactId));
    if (isLeft(state)) return left(problemOf(state.left, {}));
    if (state.right.kind === 'none' || !isAvailable(state.right, platform.clock.now())) continue;
    const { definition } = state.right;
    const other = byName.get(definition.name);
    if (other === undefined || other.attempt <= definition.attempt) byName.set(definition.name, definition);
  }
  return right([...byName.values()]);
};

const listArtifacts = route<WorkflowPlatform>()({
  ...ofJob,
  method: 'get',
  path: '/runner/jobs/:jobId/artifacts',
  operation: 'listArtifactsForJob',
  summary: 'List committed artifacts of the run, with signed requests',
  params: record('ArtifactsPath', { jobId: JobId }),
  query: record('ArtifactsQuery', {}, { name: ArtifactName }),
  answers: { 200: { description: 'All, or the one of the name.', body: ArtifactDownloads } },
  handle: async (platform, { params: { jobId }, query: { name }, headers }) => {
    const job = await authenticateJob(platform, { authorization: headers.authorization, jobId });
    if (isLeft(job)) return job.left;
    const available = await availableArtifacts(platform, job.right);
    if (isLeft(available)) return available.left;
    const artifacts: unknown[] = [];
    for (const definition of available.right.filter((one) => name === undefined || one.name === name)) {
      const { artifactId, sizeBytes, checksum, storageKey } = definition;
      const signed = await platform.blobs.signGet({ key: storageKey, seconds: downloadSeconds });
      if (isLeft(signed)) return problemOf(signed.left, artifactProblems);
      const { url, headers: signedHeaders } = signed.right;
      const request = { url, headers: signedHeaders };
      artifacts.push({ artifactId, name: definition.name, sizeBytes, checksum, request });
    }
    return { status: 200, body: { artifacts } };
  },
});

const downloadArtifact = route<WorkflowPlatform>()({
  method: 'get',
  path: '/actions/artifacts/:artifactId/download',
  operation: 'downloadArtifact',
  summary: 'Download an artifact',
  description:
    'Leads to a signed address that serves the bytes (`.tar.gz`) for five minutes. With `Accept: application/json`, the address is the answer.',
  access: { scopes: ['workflows:read'] },
  params: record('DownloadPath', { artifactId: ArtifactId }),
  answers: {
    200: { description: 'Where the bytes are.', body: record('ArtifactAddress', { url: t.string }) },
    302: { description: 'To the bytes.', headers: ['Location'] },
  },
  problems: artifactProblems,
  handle: async (platform, { params: { artifactId }, identity: { tenantId }, headers }) => {
    if (!TenantId.is(tenantId)) return problem('forbidden', 'The token is of no known tenant.');
    const state = await loadStream(platform, artifact, artifactStream(tenantId, artifactId));
    if (isLeft(state)) return problemOf(state.left, {});
    const refuse = (code: 'artifact-unknown' | 'artifact-deleted' | 'artifact-expired', detail: string): Problem =>
      problemOf({ kind: 'rejection', code, detail }, artifactProblems);
    if (state.right.kind === 'none' || state.right.kind === 'created')
      return refuse('artifact-unknown', 'There is no such artifact, or it is not committed.');
    if (state.right.kind === 'deleted') return refuse('artifact-deleted', 'The artifact was deleted.');
    const { storageKey, name } = state.right.definition;
    if (!isAvailable(state.right, platform.clock.now())) return refuse('artifact-expired', 'The artifact has expired.');
    const contentDisposition = `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.tar.gz`)}`;
    const signed = await platform.blobs.signGet({ key: storageKey, seconds: downloadSeconds, contentDisposition });
    if (isLeft(signed)) return problemOf(signed.left, artifactProblems);
    const { url } = signed.right;
    const wantsJson = /\bapplication\/json\b/.test(headers.accept ?? '');
    return wantsJson ? { status: 200, body: { url } } : { status: 302, headers: { Location: url } };
  },
});

export const artifactRoutes = (platform: WorkflowPlatform): readonly BoundRoute[] => [
  bind(platform, createArtifact),
  bind(platform, commitArtifact),
  bind(platform, listArtifacts),
  bind(platform, downloadArtifact),
];

export const openArtifacts = (platform: WorkflowPlatform): WorkflowPart => ({ routes: artifactRoutes(platform) });
