/**
 * Commits artifacts: their bytes must be those announced. A store that has the SHA-256 of an object is believed; of an object that was uploaded in
 * parts it has none, so the object is read. That can take longer than a request: it goes on, and the runner retries.
 */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { ArtifactDefinition } from '../../../domain/workflow/artifact/state';
import type { Checksum } from '../../../domain/workflow/ids';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { withinMilliseconds } from '../../../infra/server/runtime/within-milliseconds';
import { artifactProblems } from '../../../infra/server/workflow/problems';
import type { WorkflowAdapters } from '../adapters';
import type { JobTokenClaims } from '../job-token';
import { commandOfJob } from './artifact-command';
import { completeUpload } from './uploads';

/** Well below the time after which a gateway or a runner gives a request up. */
const answerMilliseconds = 5_000;

interface StoredObject {
  readonly sizeBytes: number;
  readonly checksum: Checksum;
}

const hashObject = async ({ blobs, signal }: WorkflowAdapters, key: string): Promise<Either<Problem, Checksum>> => {
  const content = await blobs.get({ key, signal });
  if (isLeft(content))
    return left(problemOf(content.left as Parameters<typeof problemOf<'blob-unknown'>>[0], artifactProblems));
  const hash = createHash('sha256');
  try {
    for await (const bytes of content.right.body as AsyncIterable<Uint8Array>) hash.update(bytes);
  } catch {
    const detail = 'The stored bytes could not be read to their end.';
    return left(problemOf({ kind: 'fault', code: 'blob-store-unavailable', detail }, artifactProblems));
  }
  return right(`sha256:${hash.digest('hex')}` as Checksum);
};

const examine = async (
  adapters: WorkflowAdapters,
  definition: ArtifactDefinition,
): Promise<Either<Problem, StoredObject>> => {
  const { storageKey, sizeBytes: announced } = definition;
  const completed = await completeUpload(adapters.blobs, definition);
  if (isLeft(completed)) return completed;
  const head = await adapters.blobs.head(storageKey);
  if (isLeft(head)) return left(problemOf(head.left, artifactProblems));
  const { size: sizeBytes, sha256 } = head.right;
  if (sha256 !== null) return right({ sizeBytes, checksum: `sha256:${sha256}` as Checksum });
  // Other lengths are refused without being read.
  const checksum = sizeBytes === announced ? await hashObject(adapters, storageKey) : right('sha256:' as Checksum);
  return isLeft(checksum) ? checksum : right({ sizeBytes, checksum: checksum.right });
};

const commit = async (
  adapters: WorkflowAdapters,
  job: JobTokenClaims,
  definition: ArtifactDefinition,
): Promise<Problem | undefined> => {
  const { artifactId, runId } = definition;
  const stored = await examine(adapters, definition);
  if (isLeft(stored)) return stored.left;
  const decided = { type: 'CommitArtifact', artifactId, stored: stored.right } as const;
  const refused = await commandOfJob(adapters, job, { artifactId, decided });
  // Wrong bytes make room for the right ones.
  if (refused?.problem.code === 'artifact-differs') await adapters.blobs.remove(definition.storageKey);
  if (refused !== undefined) return refused;
  // Where this fails, it is looked at in a day, and then again when it expires.
  await adapters.artifacts.setDue({ tenantId: job.tenantId, runId, artifactId }, definition.expiresAt);
  return undefined;
};

export type CommitOutcome =
  | { readonly kind: 'committed' | 'going-on' }
  | { readonly kind: 'refused'; readonly problem: Problem };

export interface ArtifactCommits {
  readonly commit: (job: JobTokenClaims, definition: ArtifactDefinition) => Promise<CommitOutcome>;
}

/** A commit that takes long is made once in this process, however often it is requested. */
export const openArtifactCommits = (adapters: WorkflowAdapters): ArtifactCommits => {
  const running = new Map<string, Promise<Problem | undefined>>();
  const begin = (job: JobTokenClaims, definition: ArtifactDefinition): Promise<Problem | undefined> => {
    const key = `${job.tenantId} ${definition.artifactId} ${job.epoch}`;
    const known = running.get(key);
    if (known !== undefined) return known;
    const work = commit(adapters, job, definition).finally(() => running.delete(key));
    // Its callers may be gone.
    work.catch((error: unknown) => adapters.log.error({ error }, 'an artifact could not be committed'));
    running.set(key, work);
    return work;
  };
  return {
    commit: async (job, definition) => {
      const outcome = begin(job, definition).then(
        (refused): CommitOutcome =>
          refused === undefined ? { kind: 'committed' } : { kind: 'refused', problem: refused },
      );
      return (await withinMilliseconds(outcome, answerMilliseconds)) ?? { kind: 'going-on' };
    },
  };
};
