/** Artifacts. Only those whose bytes were seen are shown. */
import type { TypeOf } from 'io-ts';
import { Instant, integer, oneOf, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { ArtifactName } from '../../../domain/workflow/artifact/events';
import { ArtifactId, Checksum, JobId, RunId } from '../../../domain/workflow/ids';
import { limits } from '../../../domain/workflow/limits';
import { type TableView, table } from '../../kernel/view';

const ArtifactState = oneOf('ArtifactState', ['created', 'committed', 'deleted']);

export const ArtifactRow = record('ArtifactRow', {
  tenantId: TenantId,
  artifactId: ArtifactId,
  runId: RunId,
  jobId: JobId,
  attempt: integer(1, limits.attempts),
  name: ArtifactName,
  sizeBytes: integer(0, limits.artifactBytes),
  checksum: Checksum,
  state: ArtifactState,
  createdAt: Instant,
  expiresAt: Instant,
  revision: integer(0),
});
export type ArtifactRow = TypeOf<typeof ArtifactRow>;

export const artifactsView: TableView<ArtifactRow> = table({
  name: 'workflow_artifacts',
  version: 1,
  row: ArtifactRow,
  // Sizes are above 2³¹; a double holds them exactly.
  columns: { sizeBytes: 'double precision' },
  key: ['tenantId', 'artifactId'],
  indexes: [['tenantId', 'runId', 'state', 'name', 'artifactId']],
});
