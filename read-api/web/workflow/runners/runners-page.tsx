/** The organization's own runners. */
import { useState } from 'preact/hooks';
import { CopyButton } from '../../components/copy-button';
import { Dialog } from '../../components/dialog';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import { StatusBadge } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { ExactTime, Timestamp } from '../../components/timestamp';
import { send } from '../../kernel/api-client';
import { hasScope } from '../../kernel/permissions';
import { showToast } from '../../kernel/toasts';
import { usePages } from '../../kernel/use-pages';
import { createRunnerToken, listRunners, type Runner, type RunnerToken } from '../api';

const everyMilliseconds = 5_000;

const columns: readonly Column<Runner>[] = [
  {
    title: 'Runner',
    show: ({ name, labels }) => (
      <>
        {name}
        <div class="below">{labels.join(', ')}</div>
      </>
    ),
  },
  {
    title: 'Status',
    show: ({ status }) => <StatusBadge tone={status === 'draining' ? 'warn' : 'plain'}>{status}</StatusBadge>,
  },
  { title: 'Isolation', isWide: true, show: ({ isolation }) => isolation },
  { title: 'Registered', kind: 'tight', isWide: true, show: ({ registered_at: at }) => <Timestamp at={at} /> },
];

interface TokenProps {
  readonly made: RunnerToken;
  readonly close: () => void;
}

const TokenDialog = ({ made: { token, expiresAt }, close }: TokenProps) => (
  <Dialog title="Registration token" close={close}>
    <p>
      It registers one runner, until <ExactTime at={expiresAt} />. It is not shown again.
    </p>
    <p class="mono">{token}</p>
    <div class="actions">
      <CopyButton text={token} label="Copy the token" />
      <button type="button" class="button primary" onClick={close}>
        Done
      </button>
    </div>
  </Dialog>
);

export const RunnersPage = () => {
  const [made, setMade] = useState<RunnerToken>();
  const pages = usePages(listRunners({ limit: 50 }), { everyMilliseconds });
  const create = async (): Promise<void> => {
    const answer = await send(createRunnerToken());
    if (answer.ok) setMade(answer.content);
    else showToast(answer.problem.detail);
  };
  return (
    <>
      <PageHeading title="Runners" lead="Machines that run jobs of this organization alone.">
        {hasScope('workflows:admin') && (
          <button type="button" class="button primary" onClick={() => void create()}>
            Make a registration token
          </button>
        )}
      </PageHeading>
      <PagedTable
        pages={pages}
        label="Runners"
        one="runner"
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState title="No runners of your own">Register one with a registration token.</EmptyState>}
      />
      {made !== undefined && <TokenDialog made={made} close={() => setMade(undefined)} />}
    </>
  );
};
