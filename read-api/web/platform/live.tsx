/** The log as it is written. Paused, it counts what comes and shows it when it goes on. */
import { countOf } from '../kernel/format';
import type { Liveness } from '../kernel/live';
import { useKeys } from '../kernel/use-keys';
import { useTyped } from '../kernel/use-typed';
import { Empty } from '../parts/empty';
import { Failure } from '../parts/failure';
import { Filter } from '../parts/filter';
import { Heading } from '../parts/heading';
import { type Column, Table } from '../parts/table';
import type { Tone } from '../parts/tag';
import { Time } from '../parts/time';
import type { PageProps } from '../shell/section';
import { actorOf } from './metadata';
import { eventPath } from './paths';
import { TypeName } from './type-name';
import { mostShown, useLog } from './use-log';
import type { EventRow } from './wire';

const columns: readonly Column<EventRow>[] = [
  {
    title: 'Event',
    show: ({ stream, revision, type, at }) => (
      <>
        <a href={eventPath(stream, revision)}>
          <TypeName type={type} />
        </a>
        <div class="below mono">{stream}</div>
        <div class="below narrow">
          <Time at={at} withDay={false} />
        </div>
      </>
    ),
  },
  { title: 'By', isWide: true, show: ({ metadata }) => <span class="mono">{actorOf(metadata) ?? '—'}</span> },
  { title: 'Position', kind: 'number', isWide: true, show: ({ position }) => <span class="mono">{position}</span> },
  { title: 'At', kind: 'tight', isWide: true, show: ({ at }) => <Time at={at} withDay={false} /> },
];

const told: { readonly [Kind in Liveness['kind']]: readonly [Tone, string] } = {
  connecting: ['warn', 'Connecting'],
  live: ['good', 'Live'],
  waiting: ['warn', 'Connecting again'],
};

interface StateProps {
  readonly state: Liveness;
  readonly isPaused: boolean;
  readonly held: number;
}

const State = ({ state, isPaused, held }: StateProps) => {
  const [tone, word] = told[state.kind];
  return (
    <div class="live-state" role="status">
      <span class={`pulse ${isPaused ? '' : tone}`} />
      {isPaused ? `Paused, ${countOf(held, 'event')} since` : word}
    </div>
  );
};

const Nothing = ({ state }: { readonly state: Liveness }) => {
  if (state.kind === 'waiting' && state.problem !== undefined && state.problem.status !== 401)
    return <Failure problem={state.problem} />;
  return <Empty title="No events here yet">Events appear here as they are recorded.</Empty>;
};

const path = '/console/live';

export const LivePage = ({ query }: PageProps) => {
  const { given, typed, type } = useTyped(path, query, ['type', 'context']);
  const { events, held, isPaused, state, toggle, clear } = useLog(given);
  useKeys([{ keys: 'x', label: 'Pause or go on', act: toggle }]);
  return (
    <>
      <Heading title="Live log" lead={`Events as they are recorded, the newest first; the last ${mostShown} are kept.`}>
        <State state={state} isPaused={isPaused} held={held} />
        <button type="button" class="button" onClick={clear}>
          Clear
        </button>
        <button type="button" class={isPaused ? 'button primary' : 'button'} onClick={toggle}>
          {isPaused ? 'Go on' : 'Pause'}
        </button>
      </Heading>
      <search class="filters">
        <Filter
          label="Whole type"
          isSearch
          placeholder="identity.PrincipalRegistered.v1"
          value={typed.type}
          onType={(value) => type('type', value)}
        />
        <Filter label="Context" placeholder="Any" value={typed.context} onType={(value) => type('context', value)} />
      </search>
      {events.length === 0 ? (
        <Nothing state={state} />
      ) : (
        <Table label="Events" rows={events} columns={columns} keyOf={({ position }) => position} />
      )}
    </>
  );
};
