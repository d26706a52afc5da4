/** Ids of the workflow context. An organization is a tenant, so its id is the tenant's. */
import type { TypeOf } from 'io-ts';
import { brandedText } from '../kernel/codec';
import { idOf } from '../kernel/ids';

export const RepositoryId = idOf('RepositoryId');
export type RepositoryId = TypeOf<typeof RepositoryId>;

/** The id of one repository event; a repeated delivery has the same. */
export const TriggerEventId = idOf('TriggerEventId');
export type TriggerEventId = TypeOf<typeof TriggerEventId>;

/** A workflow file of a repository, by repository and path. */
export const DefinitionId = idOf('DefinitionId');
export type DefinitionId = TypeOf<typeof DefinitionId>;

/** One definition run for one event. */
export const RunId = idOf('RunId');
export type RunId = TypeOf<typeof RunId>;

/** One job of a run; each combination of a matrix is a job. Retries keep the id and count attempts. */
export const JobId = idOf('JobId');
export type JobId = TypeOf<typeof JobId>;

export const RunnerId = idOf('RunnerId');
export type RunnerId = TypeOf<typeof RunnerId>;

export const ArtifactId = idOf('ArtifactId');
export type ArtifactId = TypeOf<typeof ArtifactId>;

/** A Git object name: SHA-1 or SHA-256 in hexadecimal. */
export const CommitSha = brandedText('CommitSha', {
  minLength: 40,
  maxLength: 64,
  pattern: '(?:[0-9a-f]{40}|[0-9a-f]{64})',
  examples: ['9f2a7c0d51e84b6f3a0c2d4e6f8091a2b3c4d5e6'],
});
export type CommitSha = TypeOf<typeof CommitSha>;

/** `sha256:` and 64 hexadecimal digits. */
export const Checksum = brandedText('WorkflowChecksum', {
  maxLength: 71,
  pattern: 'sha256:[0-9a-f]{64}',
  examples: ['sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
});
export type Checksum = TypeOf<typeof Checksum>;
