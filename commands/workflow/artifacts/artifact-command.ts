/** Commands to artifacts, by the job that they are of or by the service. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import { type ArtifactCommand, artifact } from '../../../domain/workflow/artifact/decider';
import { artifactStream } from '../../../domain/workflow/artifact/events';
import type { ArtifactState } from '../../../domain/workflow/artifact/state';
import type { ArtifactId, RunId } from '../../../domain/workflow/ids';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { artifactProblems } from '../../../infra/server/workflow/problems';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import type { WorkflowAdapters } from '../adapters';
import type { JobTokenClaims } from '../job-token';

/** A job that is tried again has other artifacts, so that its names are free. */
export const artifactIdOf = ({ tenantId, runId, attempt }: JobTokenClaims, name: string): ArtifactId =>
  derivedId('workflow-artifact', tenantId, runId, attempt, name) as ArtifactId;

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
  readonly actor: string;
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
