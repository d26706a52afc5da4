/** An artifact: named within a run's attempt, immutable, listed once its bytes were seen. */
import { Instant, integer, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { ArtifactId, Checksum, JobId, RunId } from '../ids';
import { limits } from '../limits';

export const ArtifactName = text('ArtifactName', {
  maxLength: 200,
  pattern: '[^"/:<>|*?\\\\\\x00-\\x1f\\x7f]+',
  examples: ['coverage'],
});

export const artifacts = aggregate(
  { context: 'workflow', name: 'artifact', id: ArtifactId },
  {
    ArtifactCreated: {
      v: 1,
      data: {
        artifactId: ArtifactId,
        runId: RunId,
        jobId: JobId,
        attempt: integer(1, limits.attempts),
        name: ArtifactName,
        storageKey: text('ArtifactKey', { maxLength: 300 }),
        sizeBytes: integer(0, limits.artifactBytes),
        checksum: Checksum,
        expiresAt: Instant,
      },
    },
    /** Size and checksum of the stored bytes are those announced. */
    ArtifactCommitted: { v: 1, data: { artifactId: ArtifactId } },
    /** By a person, or by the service once it has expired or was abandoned. Its bytes are removed after it. */
    ArtifactDeleted: { v: 1, data: { artifactId: ArtifactId } },
  },
);
export type ArtifactEvent = typeof artifacts.Event;

export const { stream: artifactStream } = artifacts;
