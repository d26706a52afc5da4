/** Commands to artifacts, by the job that they are of or by the service. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import { type ArtifactCommand, artifact } from '../../../domain/workflow/artifact/decider';
import { artifactStream } from '../../../domain/workflow/artifact/events';
import type { ArtifactState } from '../../../domain/workflow/artifact/state';
import type { ArtifactId, Checksum, RunId } from '../../../domain/workflow/ids';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { artifactProblems } from '../../../infra/server/workflow/problems';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { Actor } from '../../kernel/handle-request';
import { loadStream } from '../../kernel/load-stream';
import type { WorkflowAdapters } from '../adapters';
import type { JobTokenClaims } from '../job-token';

/** A job that is tried again has other artifacts, so that its names are free. `replaced`: how many of the name this one follows. */
const artifactIdOf = ({ tenantId, runId, attempt }: JobTokenClaims, name: string, replaced = 0): ArtifactId => {
  const parts = replaced === 0 ? [name] : [name, replaced];
  return derivedId('workflow-artifact', tenantId, runId, attempt, ...parts) as ArtifactId;
};

export const loadArtifact = async (
  adapters: WorkflowAdapters,
  tenantId: TenantId,
  artifactId: ArtifactId,
): Promise<Either<Problem, ArtifactState>> => {
  const state = await loadStream(adapters, artifact, artifactStream(tenantId, artifactId));
  return isLeft(state) ? left(problemOf(state.left, {})) : right(state.right);
};

interface Commanded {
  readonly tenantId: TenantId;
  readonly runId: RunId;
  readonly artifactId: ArtifactId;
  readonly decided: ArtifactCommand;
  readonly actor: Actor;
  /** The same command again has the same parts. */
  readonly parts: readonly (string | number)[];
}

/** Undefined: done, now or before. */
export const commandArtifact = async (
  adapters: WorkflowAdapters,
  { tenantId, runId, artifactId, decided, actor, parts }: Commanded,
): Promise<Problem | undefined> => {
  const handled = await handle(adapters, artifact, {
    stream: artifactStream(tenantId, artifactId),
    command: decided,
    commandId: derivedId('workflow-artifact', decided.type, tenantId, artifactId, ...parts),
    // The time of expiry is another when the request is repeated.
    fingerprint: [decided.type, artifactId],
    tenant: tenantId,
    actor,
    correlationId: runId,
  });
  return isLeft(handled) ? problemOf(handled.left, artifactProblems) : undefined;
};

export const commandOfJob = (
  adapters: WorkflowAdapters,
  { tenantId, runId, jobId, epoch }: JobTokenClaims,
  of: Pick<Commanded, 'artifactId' | 'decided'>,
): Promise<Problem | undefined> =>
  commandArtifact(adapters, { ...of, tenantId, runId, actor: `job:${jobId}`, parts: [jobId, epoch] });

/**
 * Of a name in an attempt: the artifact that an upload of these bytes is, and the earlier ones that end with it. Without `overwrites` the
 * first of the name stays the only one.
 */
export const placeOfArtifact = async (
  adapters: WorkflowAdapters,
  job: JobTokenClaims,
  { name, checksum, overwrites }: { readonly name: string; readonly checksum: Checksum; readonly overwrites: boolean },
): Promise<Either<Problem, { readonly artifactId: ArtifactId; readonly replaced: readonly ArtifactId[] }>> => {
  const replaced: ArtifactId[] = [];
  for (let number = 0; ; number += 1) {
    const artifactId = artifactIdOf(job, name, number);
    if (!overwrites) return right({ artifactId, replaced });
    const state = await loadArtifact(adapters, job.tenantId, artifactId);
    if (isLeft(state)) return state;
    const { right: found } = state;
    if (found.kind === 'none') return right({ artifactId, replaced });
    if (found.kind === 'deleted') continue;
    // The same upload again.
    if (found.definition.checksum === checksum) return right({ artifactId, replaced });
    replaced.push(artifactId);
  }
};

/** Its bytes are removed soon. One whose upload never ended counts as abandoned. */
export const endArtifact = async (
  adapters: WorkflowAdapters,
  job: JobTokenClaims,
  artifactId: ArtifactId,
): Promise<Problem | undefined> => {
  const at = adapters.clock.now();
  const state = await loadArtifact(adapters, job.tenantId, artifactId);
  if (isLeft(state)) return state.left;
  const isCreated = state.right.kind === 'created';
  const decided: ArtifactCommand = isCreated
    ? { type: 'ExpireArtifact', artifactId, at }
    : { type: 'DeleteArtifact', artifactId };
  const refused = await commandOfJob(adapters, job, { artifactId, decided });
  if (refused !== undefined) return refused;
  const due = await adapters.artifacts.setDue({ ...job, artifactId }, at);
  return isLeft(due) ? problemOf(due.left, artifactProblems) : undefined;
};
