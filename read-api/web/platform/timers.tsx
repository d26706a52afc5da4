/** What a process is to do later. */
import { listPlatformTimers } from '../../../packages/client/src/operations';
import { usePages } from '../kernel/pages';
import { Empty } from '../parts/empty';
import { Heading } from '../parts/heading';
import { Loaded } from '../parts/loaded';
import { More } from '../parts/more';
import { type Column, Table } from '../parts/table';
import { Tag } from '../parts/tag';
import { Time } from '../parts/time';
import type { PageProps } from '../shell/section';
import { streamPath } from './paths';
import type { TimerRow } from './wire';

const columns: readonly Column<TimerRow>[] = [
  {
    title: 'Instance',
    show: ({ instance, at }) => (
      <>
        <a class="mono" href={streamPath(instance)}>
          {instance}
        </a>
        <div class="below narrow">
          <Time at={at} />
        </div>
      </>
    ),
  },
  { title: 'Timer', show: ({ key }) => <span class="mono">{key}</span> },
  { title: 'State', show: ({ overdue }) => (overdue ? <Tag tone="warn">overdue</Tag> : <Tag>waits</Tag>) },
  { title: 'Due', kind: 'tight', isWide: true, show: ({ at }) => <Time at={at} /> },
];

export const TimersPage = ({ params }: PageProps) => {
  const { process = '' } = params;
  const pages = usePages(listPlatformTimers({ process, limit: 50 }));
  return (
    <>
      <Heading title={`Timers of ${process}`} trail={[{ label: 'Processes', path: '/console/processes' }]} />
      <Loaded source={{ content: pages.items, problem: pages.problem, reload: pages.reload }}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="No timer waits" />
          ) : (
            <>
              <Table label="Timers" rows={items} columns={columns} keyOf={({ id }) => id} />
              <More count={items.length} one="timer" more={pages.more} isLoading={pages.isLoading} />
            </>
          )
        }
      </Loaded>
    </>
  );
};
