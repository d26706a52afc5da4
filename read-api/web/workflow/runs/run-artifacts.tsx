/** What the jobs of a run stored. */
import { useState } from 'preact/hooks';
import { deleteArtifact, listWorkflowArtifacts } from '../../../../packages/client/src/operations';
import type { WorkflowArtifact } from '../../../../packages/client/src/schemas';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { bytesOf } from '../../kernel/format';
import { hasScope } from '../../kernel/permissions';
import type { Problem } from '../../kernel/problem';
import { useCommand } from '../../kernel/use-command';
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

const actionsOf = (choose: (artifact: WorkflowArtifact) => void): Column<WorkflowArtifact> => ({
  title: 'Actions',
  kind: 'tight',
  show: (artifact) => (
    <button
      type="button"
      class="button danger small"
      aria-label={`Delete ${artifact.name}`}
      onClick={() => choose(artifact)}
    >
      Delete
    </button>
  ),
});

interface DeleteProps {
  readonly artifact: WorkflowArtifact;
  readonly onDone: () => void;
  readonly close: () => void;
}

const DeleteDialog = ({ artifact: { id, name }, onDone, close }: DeleteProps) => {
  const command = useCommand();
  const apply = async (): Promise<Problem | undefined> => {
    const answer = await command(deleteArtifact({ artifactId: id }));
    if (!answer.ok) return answer.problem;
    onDone();
    return undefined;
  };
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      act="Delete"
      isDangerous
      success="The artifact was deleted."
      onAct={apply}
      close={close}
    >
      <p>Its content is removed. This cannot be undone, and the name cannot be used again in that attempt.</p>
    </ConfirmDialog>
  );
};

export const RunArtifacts = ({ runId, isLive }: { readonly runId: string; readonly isLive: boolean }) => {
  const [chosen, setChosen] = useState<WorkflowArtifact>();
  const pages = usePages(listWorkflowArtifacts({ runId, limit: 50 }), isLive ? { everyMilliseconds } : {});
  return (
    <section class="section">
      <h2>Artifacts</h2>
      <PagedTable
        pages={pages}
        label="Artifacts"
        one="artifact"
        columns={hasScope('workflows:write') ? [...columns, actionsOf(setChosen)] : columns}
        keyOf={({ id }) => id}
        empty={<p class="notice">No artifacts.</p>}
        rows={2}
      />
      {chosen !== undefined && (
        <DeleteDialog artifact={chosen} onDone={pages.reload} close={() => setChosen(undefined)} />
      )}
    </section>
  );
};
