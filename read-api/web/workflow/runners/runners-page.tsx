/** The organization's own runners. */
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import { StatusBadge } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { usePages } from '../../kernel/use-pages';
import { listRunners, type Runner } from '../api';

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

export const RunnersPage = () => (
  <>
    <PageHeading title="Runners" lead="Machines that run jobs of this organization alone." />
    <PagedTable
      pages={usePages(listRunners({ limit: 50 }), { everyMilliseconds })}
      label="Runners"
      one="runner"
      columns={columns}
      keyOf={({ id }) => id}
      empty={<EmptyState title="No runners of your own">Register one with a registration token.</EmptyState>}
    />
  </>
);
