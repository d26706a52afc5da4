/** What the jobs of a run stored. */
import { listWorkflowArtifacts } from '../../../../packages/client/src/operations';
import type { WorkflowArtifact } from '../../../../packages/client/src/schemas';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { bytesOf } from '../../kernel/format';
import { usePages } from '../../kernel/use-pages';

const everyMilliseconds = 5_000;

const columns: readonly Column<WorkflowArtifact>[] = [
  {
    title: 'Artifact',
    show: ({ name, storage_uri: uri, checksum }) => (
      <>
        {/* A document of its own: the answer redirects to the object store. */}
        <a href={uri} download>
          {name}
        </a>
        <div class="below mono">{checksum}</div>
      </>
    ),
  },
  { title: 'Size', kind: 'number', show: ({ size_bytes: size }) => bytesOf(size) },
  { title: 'Attempt', kind: 'number', isWide: true, show: ({ attempt }) => attempt },
  { title: 'Expires', kind: 'tight', isWide: true, show: ({ expires_at: at }) => <Timestamp at={at} /> },
];

export const RunArtifacts = ({ runId, isLive }: { readonly runId: string; readonly isLive: boolean }) => (
  <section class="section">
    <h2>Artifacts</h2>
    <PagedTable
      pages={usePages(listWorkflowArtifacts({ runId, limit: 50 }), isLive ? { everyMilliseconds } : {})}
      label="Artifacts"
      one="artifact"
      columns={columns}
      keyOf={({ id }) => id}
      empty={<p class="notice">No artifact was stored.</p>}
      rows={2}
    />
  </section>
);
