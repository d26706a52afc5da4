/** The log as it is written. Paused, it counts what comes and shows it when it goes on. */

import { countOf } from '../kernel/format';
import type { Liveness } from '../kernel/live';
import { useKeys } from '../kernel/use-keys';
import { Empty } from '../parts/empty';
import { Failure } from '../parts/failure';
import { Heading } from '../parts/heading';
import { type Column, Table } from '../parts/table';
import type { Tone } from '../parts/tag';
import { Time } from '../parts/time';
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
  return <Empty title="Nothing has happened since">Events appear here as they are recorded.</Empty>;
};

export const LivePage = () => {
  const { events, held, isPaused, state, toggle, clear } = useLog('/v1/platform/all/live');
  useKeys([{ keys: 'x', label: 'Pause or go on', act: toggle }]);
  return (
    <>
      <Heading
        title="Live log"
        lead={`What is recorded from now on, the newest first; the last ${mostShown} are kept.`}
      >
        <State state={state} isPaused={isPaused} held={held} />
        <button type="button" class="button" onClick={clear}>
          Clear
        </button>
        <button type="button" class={isPaused ? 'button primary' : 'button'} onClick={toggle}>
          {isPaused ? 'Go on' : 'Pause'}
        </button>
      </Heading>
      {events.length === 0 ? (
        <Nothing state={state} />
      ) : (
        <Table label="Events" rows={events} columns={columns} keyOf={({ position }) => position} />
      )}
    </>
  );
};
