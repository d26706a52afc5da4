/** Routes of jobs: create an artifact, upload its bytes by signed requests, commit it, and list what the run has. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Instant, record } from '../../../domain/kernel/codec';
import { ArtifactName } from '../../../domain/workflow/artifact/events';
import type { ArtifactDefinition } from '../../../domain/workflow/artifact/state';
import { ArtifactId, JobId } from '../../../domain/workflow/ids';
import { limits } from '../../../domain/workflow/limits';
import {
  ArtifactDownloads,
  ArtifactUpload,
  CommitArtifact,
  CreateArtifact,
} from '../../../domain/workflow/protocol/runner';
import type { ArtifactBoundsRefusal } from '../../../infra/ports/workflow/artifact-index';
import { commonProblems, type Problem, problemOf } from '../../../infra/server/http/problem';
import { type BoundRoute, bind, route } from '../../../infra/server/http/routing/route';
import { artifactProblem, downloadSeconds, isAvailable } from '../../../infra/server/workflow/artifacts';
import { artifactProblems } from '../../../infra/server/workflow/problems';
import type { WorkflowAdapters } from '../adapters';
import type { JobTokenClaims } from '../job-token';
import { organizationSettings } from '../runs/organization-settings';
import { commandOfJob, endArtifact, loadArtifact, placeOfArtifact } from './artifact-command';
import { authenticateJob } from './authenticate-job';
import type { ArtifactCommits } from './commit-artifact';
import { signUpload } from './uploads';

export interface ArtifactJobDeps extends WorkflowAdapters {
  readonly commits: ArtifactCommits;
}

const problems = {
  ...artifactProblems,
  unauthenticated: commonProblems.unauthenticated,
  'event-store-unavailable': commonProblems['event-store-unavailable'],
  'event-store-ambiguous': commonProblems['event-store-ambiguous'],
};
const authorization = { name: 'Authorization', description: 'Bearer, with the token of the job.', required: true };
const ofJob = { access: 'public', sensitive: false, headers: [authorization], problems } as const;

const dayMilliseconds = 86_400_000;

/** Names the field that is too much. */
const boundsProblem = (refused: ArtifactBoundsRefusal): Problem => {
  const plain = problemOf(refused, artifactProblems);
  const pointer = refused.code === 'too-many-artifacts' ? '/body/name' : '/body/sizeBytes';
  return { ...plain, problem: { ...plain.problem, errors: [{ pointer, expected: refused.detail }] } };
};

const reserve = async (
  adapters: WorkflowAdapters,
  { tenantId, runId }: JobTokenClaims,
  of: { readonly artifactId: ArtifactId; readonly sizeBytes: number },
): Promise<Problem | undefined> => {
  const settings = await organizationSettings(adapters.store, tenantId);
  if (isLeft(settings)) return problemOf(settings.left, {});
  const bounds = { perRun: limits.artifactsPerRun, bytes: settings.right.artifactBytes };
  const added = await adapters.artifacts.add({ tenantId, runId, ...of }, bounds);
  if (!isLeft(added)) return undefined;
  return added.left.kind === 'rejection' ? boundsProblem(added.left) : problemOf(added.left, artifactProblems);
};

const createArtifact = route<ArtifactJobDeps>()({
  ...ofJob,
  method: 'post',
  path: '/runner/jobs/:jobId/artifacts',
  operation: 'createArtifact',
  summary: 'Announce an artifact, and sign the requests that upload it',
  description:
    'The upload takes exactly the bytes announced, within twelve hours: by one request, or in parts where there are more bytes than one part has. The same again signs requests for what is not stored yet.',
  params: record('ArtifactJobPath', { jobId: JobId }),
  body: CreateArtifact,
  answers: { 201: { description: 'PUT the bytes, then commit.', body: ArtifactUpload } },
  handle: async (adapters, { params: { jobId }, body, headers }) => {
    const { epoch, name, sizeBytes, checksum, retentionDays, overwrites = false } = body;
    const job = await authenticateJob(adapters, { authorization: headers.authorization, jobId, epoch });
    if (isLeft(job)) return job.left;
    const { tenantId, runId, attempt } = job.right;
    const place = await placeOfArtifact(adapters, job.right, { name, checksum, overwrites });
    if (isLeft(place)) return place.left;
    const { artifactId, replaced } = place.right;
    for (const one of replaced) {
      const failed = await endArtifact(adapters, job.right, one);
      if (failed !== undefined) return failed;
    }
    const exceeded = await reserve(adapters, job.right, { artifactId, sizeBytes });
    if (exceeded !== undefined) return exceeded;
    const storageKey = `workflow/${tenantId}/artifacts/${artifactId}/${checksum.slice('sha256:'.length)}`;
    const expires = Date.parse(adapters.clock.now()) + retentionDays * dayMilliseconds;
    const expiresAt = new Date(expires).toISOString() as Instant;
    const definition = { artifactId, runId, jobId, attempt, name, storageKey, sizeBytes, checksum, expiresAt };
    const decided = { type: 'CreateArtifact', definition } as const;
    const refused = await commandOfJob(adapters, job.right, { artifactId, decided });
    if (refused !== undefined) return refused;
    const state = await loadArtifact(adapters, tenantId, artifactId);
    if (isLeft(state)) return state.left;
    // A repeated command is not decided again.
    if (state.right.kind === 'deleted') return artifactProblem('artifact-deleted', 'The artifact was deleted.');
    if (state.right.kind === 'none' || state.right.definition.checksum !== checksum)
      return artifactProblem('artifact-exists', 'There is an artifact of this name with other bytes.');
    if (state.right.kind === 'committed') return { status: 201, body: { artifactId, partBytes: null, requests: [] } };
    const signed = await signUpload(adapters.blobs, state.right.definition);
    return isLeft(signed) ? signed.left : { status: 201, body: { artifactId, ...signed.right } };
  },
});

const commitArtifact = route<ArtifactJobDeps>()({
  ...ofJob,
  method: 'post',
  path: '/runner/jobs/:jobId/artifacts/:artifactId/commit',
  operation: 'commitArtifact',
  summary: 'Commit an artifact whose bytes are uploaded',
  params: record('ArtifactPath', { jobId: JobId, artifactId: ArtifactId }),
  body: CommitArtifact,
  answers: {
    202: { description: 'The server is still reading the bytes: send the request again.' },
    204: { description: 'It is listed from now on.' },
  },
  handle: async (adapters, { params: { jobId, artifactId }, body: { epoch }, headers }) => {
    const job = await authenticateJob(adapters, { authorization: headers.authorization, jobId, epoch });
    if (isLeft(job)) return job.left;
    const { tenantId, runId } = job.right;
    const state = await loadArtifact(adapters, tenantId, artifactId);
    if (isLeft(state)) return state.left;
    if (state.right.kind === 'none' || state.right.definition.runId !== runId)
      return artifactProblem('artifact-unknown', 'There is no such artifact of this run.');
    if (state.right.kind === 'committed') return { status: 204 };
    if (state.right.kind === 'deleted') return artifactProblem('artifact-deleted', 'The artifact was deleted.');
    const outcome = await adapters.commits.commit(job.right, state.right.definition);
    if (outcome.kind === 'refused') return outcome.problem;
    return { status: outcome.kind === 'committed' ? 204 : 202 };
  },
});

/** Committed artifacts of a run; of several of one name, that of the newest attempt. */
const availableArtifacts = async (
  adapters: WorkflowAdapters,
  { tenantId, runId }: JobTokenClaims,
): Promise<Either<Problem, readonly ArtifactDefinition[]>> => {
  const ids = await adapters.artifacts.of({ tenantId, runId });
  if (isLeft(ids)) return left(problemOf(ids.left, artifactProblems));
  const byName = new Map<string, ArtifactDefinition>();
  for (const artifactId of ids.right) {
    const state = await loadArtifact(adapters, tenantId, artifactId);
    if (isLeft(state)) return state;
    if (state.right.kind === 'none' || !isAvailable(state.right, adapters.clock.now())) continue;
    const { definition } = state.right;
    const other = byName.get(definition.name);
    if (other === undefined || other.attempt <= definition.attempt) byName.set(definition.name, definition);
  }
  return right([...byName.values()]);
};

const listArtifacts = route<ArtifactJobDeps>()({
  ...ofJob,
  method: 'get',
  path: '/runner/jobs/:jobId/artifacts',
  operation: 'listArtifactsForJob',
  summary: 'List committed artifacts of the run, with signed requests',
  params: record('ArtifactsPath', { jobId: JobId }),
  query: record('ArtifactsQuery', {}, { name: ArtifactName }),
  answers: { 200: { description: 'All, or the one of the name.', body: ArtifactDownloads } },
  handle: async (adapters, { params: { jobId }, query: { name }, headers }) => {
    const job = await authenticateJob(adapters, { authorization: headers.authorization, jobId });
    if (isLeft(job)) return job.left;
    const available = await availableArtifacts(adapters, job.right);
    if (isLeft(available)) return available.left;
    const artifacts: unknown[] = [];
    for (const definition of available.right.filter((one) => name === undefined || one.name === name)) {
      const { artifactId, sizeBytes, checksum, storageKey } = definition;
      const signed = await adapters.blobs.signGet({ key: storageKey, seconds: downloadSeconds });
      if (isLeft(signed)) return problemOf(signed.left, artifactProblems);
      const { url, headers: signedHeaders } = signed.right;
      const request = { url, headers: signedHeaders };
      artifacts.push({ artifactId, name: definition.name, sizeBytes, checksum, request });
    }
    return { status: 200, body: { artifacts } };
  },
});

export const artifactJobRoutes = (deps: ArtifactJobDeps): readonly BoundRoute[] => [
  bind(deps, createArtifact),
  bind(deps, commitArtifact),
  bind(deps, listArtifacts),
];
