/** Process managers and work queues. */
import { listPlatformProcesses, listPlatformQueues } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { StatusBadge, type Tone } from '../../components/status-badge';
import { type Column, Table } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { countOf, durationOf, numberOf } from '../../kernel/format';
import { useResource } from '../../kernel/use-resource';
import type { ProcessRow, QueueRow } from '../api-types';
import { timersPath } from '../paths';

const tones: { readonly [state: string]: Tone } = { running: 'good', stopped: 'bad', gone: 'bad' };

const Timers = ({ process }: { readonly process: ProcessRow }) => {
  const { name, timersWaiting, timersOverdue, nextTimerAt } = process;
  if (timersWaiting === 0 && timersOverdue === 0) return <span class="faint">None</span>;
  return (
    <>
      <a href={timersPath(name)}>{countOf(timersWaiting, 'timer')}</a>{' '}
      {timersOverdue > 0 && <StatusBadge tone="warn">{numberOf(timersOverdue)} overdue</StatusBadge>}
      <div class="below">
        Next <Timestamp at={nextTimerAt} />
      </div>
    </>
  );
};

const columns: readonly Column<ProcessRow>[] = [
  {
    title: 'Process',
    show: (process) => (
      <>
        <span class="mono">{process.name}</span>
        {process.owner !== null && <div class="below">Run by {process.owner}</div>}
        {process.why !== null && <div class="below">{process.why}</div>}
        {process.timersWaiting > 0 && (
          <div class="below narrow">
            <Timers process={process} />
          </div>
        )}
      </>
    ),
  },
  { title: 'State', show: ({ state }) => <StatusBadge tone={tones[state] ?? 'warn'}>{state}</StatusBadge> },
  {
    title: 'Lag',
    kind: 'number',
    show: ({ lagSeconds, lagEvents }) => (
      <>
        {durationOf(lagSeconds)}
        {lagEvents !== null && <div class="below">{countOf(lagEvents, 'event')}</div>}
      </>
    ),
  },
  {
    title: 'Checkpoint',
    kind: 'number',
    isWide: true,
    show: ({ checkpoint }) => <span class="mono">{checkpoint ?? '—'}</span>,
  },
  { title: 'Timers', isWide: true, show: (process) => <Timers process={process} /> },
];

const queueColumns: readonly Column<QueueRow>[] = [
  { title: 'Queue', show: ({ queue }) => <span class="mono">{queue}</span> },
  { title: 'Waiting', kind: 'number', show: ({ waiting }) => numberOf(waiting) },
  { title: 'Running', kind: 'number', show: ({ running }) => numberOf(running) },
  { title: 'Delayed', kind: 'number', isWide: true, show: ({ delayed }) => numberOf(delayed) },
  {
    title: 'Dead',
    kind: 'number',
    show: ({ dead }) => (dead > 0 ? <StatusBadge tone="bad">{numberOf(dead)}</StatusBadge> : 0),
  },
  { title: 'Oldest', kind: 'tight', isWide: true, show: ({ oldestWaitingAt }) => <Timestamp at={oldestWaitingAt} /> },
];

const everyMilliseconds = 2_000;

const Queues = () => {
  const queues = useResource(listPlatformQueues(), { everyMilliseconds });
  return (
    <section class="section">
      <h2>Queues of slow jobs</h2>
      <AsyncContent source={queues} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="notice">No queue has a job.</p>
          ) : (
            <Table label="Queues" rows={items} columns={queueColumns} keyOf={({ queue }) => queue} />
          )
        }
      </AsyncContent>
    </section>
  );
};

export const ProcessesPage = () => {
  const processes = useResource(listPlatformProcesses(), { everyMilliseconds });
  return (
    <>
      <PageHeading
        title="Processes"
        lead="Processes follow the log and react to each event with commands, exactly once."
      />
      <AsyncContent source={processes} rows={3}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title="No process runs yet">They appear here once a service that has them runs.</EmptyState>
          ) : (
            <Table label="Processes" rows={items} columns={columns} keyOf={({ name }) => name} />
          )
        }
      </AsyncContent>
      <Queues />
    </>
  );
};
