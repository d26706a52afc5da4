/** Pending timers of processes. */
import { listPlatformTimers } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { LoadMore } from '../../components/paged-table';
import { StatusBadge } from '../../components/status-badge';
import { type Column, Table } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { usePages } from '../../kernel/use-pages';
import type { PageProps } from '../../shell/section';
import type { TimerRow } from '../api-types';
import { streamPath } from '../paths';

const columns: readonly Column<TimerRow>[] = [
  {
    title: 'Instance',
    show: ({ instance, at }) => (
      <>
        <a class="mono" href={streamPath(instance)}>
          {instance}
        </a>
        <div class="below narrow">
          <Timestamp at={at} />
        </div>
      </>
    ),
  },
  { title: 'Timer', show: ({ key }) => <span class="mono">{key}</span> },
  {
    title: 'State',
    show: ({ overdue }) =>
      overdue ? <StatusBadge tone="warn">overdue</StatusBadge> : <StatusBadge>waits</StatusBadge>,
  },
  { title: 'Due', kind: 'tight', isWide: true, show: ({ at }) => <Timestamp at={at} /> },
];

export const TimersPage = ({ params }: PageProps) => {
  const { process = '' } = params;
  const pages = usePages(listPlatformTimers({ process, limit: 50 }));
  return (
    <>
      <PageHeading title={`Timers of ${process}`} trail={[{ label: 'Processes', path: '/console/processes' }]} />
      <AsyncContent source={{ content: pages.items, problem: pages.problem, reload: pages.reload }}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState title="No timers">
              A timer is listed from when the process sets it until it is due. Most processes set none.
            </EmptyState>
          ) : (
            <>
              <Table label="Timers" rows={items} columns={columns} keyOf={({ id }) => id} />
              <LoadMore count={items.length} one="timer" more={pages.more} isLoading={pages.isLoading} />
            </>
          )
        }
      </AsyncContent>
    </>
  );
};
