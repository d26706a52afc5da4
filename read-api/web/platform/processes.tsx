/** Processes that answer events with commands, and the queues of slow jobs. */
import { listPlatformProcesses, listPlatformQueues } from '../../../packages/client/src/operations';
import { countOf, durationOf, numberOf } from '../kernel/format';
import { useResource } from '../kernel/resource';
import { Empty } from '../parts/empty';
import { Heading } from '../parts/heading';
import { Loaded } from '../parts/loaded';
import { type Column, Table } from '../parts/table';
import { Tag, type Tone } from '../parts/tag';
import { Time } from '../parts/time';
import { timersPath } from './paths';
import type { ProcessRow, QueueRow } from './wire';

const tones: { readonly [state: string]: Tone } = { running: 'good', stopped: 'bad', gone: 'bad' };

const Timers = ({ process }: { readonly process: ProcessRow }) => {
  const { name, timersWaiting, timersOverdue, nextTimerAt } = process;
  if (timersWaiting === 0 && timersOverdue === 0) return <span class="faint">None</span>;
  return (
    <>
      <a href={timersPath(name)}>{countOf(timersWaiting, 'timer')}</a>{' '}
      {timersOverdue > 0 && <Tag tone="warn">{numberOf(timersOverdue)} overdue</Tag>}
      <div class="below">
        Next <Time at={nextTimerAt} />
      </div>
    </>
  );
};

const columns: readonly Column<ProcessRow>[] = [
  {
    title: 'Process',
    show: ({ name, why, owner }) => (
      <>
        <span class="mono">{name}</span>
        {owner !== null && <div class="below">Run by {owner}</div>}
        {why !== null && <div class="below">{why}</div>}
      </>
    ),
  },
  { title: 'State', show: ({ state }) => <Tag tone={tones[state] ?? 'warn'}>{state}</Tag> },
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
  { title: 'Put off', kind: 'number', isWide: true, show: ({ delayed }) => numberOf(delayed) },
  { title: 'Dead', kind: 'number', show: ({ dead }) => (dead > 0 ? <Tag tone="bad">{numberOf(dead)}</Tag> : 0) },
  { title: 'Oldest', kind: 'tight', isWide: true, show: ({ oldestWaitingAt }) => <Time at={oldestWaitingAt} /> },
];

const everyMilliseconds = 2_000;

const Queues = () => {
  const queues = useResource(listPlatformQueues(), { everyMilliseconds });
  return (
    <section class="section">
      <h2>Queues of slow jobs</h2>
      <Loaded source={queues} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="notice">No queue holds a job.</p>
          ) : (
            <Table label="Queues" rows={items} columns={queueColumns} keyOf={({ queue }) => queue} />
          )
        }
      </Loaded>
    </section>
  );
};

export const ProcessesPage = () => {
  const processes = useResource(listPlatformProcesses(), { everyMilliseconds });
  return (
    <>
      <Heading title="Processes" lead="They follow the log and answer events with commands, once each." />
      <Loaded source={processes} rows={3}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No process runs yet">They appear here with the services that bring them.</Empty>
          ) : (
            <Table label="Processes" rows={items} columns={columns} keyOf={({ name }) => name} />
          )
        }
      </Loaded>
      <Queues />
    </>
  );
};
