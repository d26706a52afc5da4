/** The live log. While paused it buffers new events, and shows them when resumed. */

import { EmptyState } from '../../components/empty-state';
import { FilterField } from '../../components/filter-field';
import { PageHeading } from '../../components/page-heading';
import { ProblemMessage } from '../../components/problem-message';
import type { Tone } from '../../components/status-badge';
import { type Column, Table } from '../../components/table';
import { ClockTime } from '../../components/timestamp';
import type { Liveness } from '../../kernel/event-stream';
import { countOf } from '../../kernel/format';
import { useKeyboardShortcuts } from '../../kernel/keyboard-shortcuts';
import { useFilterInput } from '../../kernel/use-filter-input';
import type { PageProps } from '../../shell/section';
import type { EventRow } from '../api-types';
import { eventPath } from '../paths';
import { EventActor } from './event-actor';
import { EventTypeName } from './event-type-name';
import { maxShown, useLiveLog } from './use-live-log';

const columns: readonly Column<EventRow>[] = [
  {
    title: 'Event',
    show: ({ stream, revision, type, at }) => (
      <>
        <a href={eventPath(stream, revision)}>
          <EventTypeName type={type} />
        </a>
        <div class="below mono">{stream}</div>
        <div class="below narrow">
          <ClockTime at={at} />
        </div>
      </>
    ),
  },
  { title: 'By', isWide: true, show: (event) => <EventActor event={event} /> },
  { title: 'Position', kind: 'number', isWide: true, show: ({ position }) => <span class="mono">{position}</span> },
  { title: 'At', kind: 'tight', isWide: true, show: ({ at }) => <ClockTime at={at} /> },
];

const stateLabels: { readonly [Kind in Liveness['kind']]: readonly [Tone, string] } = {
  connecting: ['warn', 'Connecting'],
  live: ['good', 'Live'],
  waiting: ['warn', 'Connecting again'],
};

interface StateProps {
  readonly state: Liveness;
  readonly isPaused: boolean;
  readonly bufferedCount: number;
}

const State = ({ state, isPaused, bufferedCount }: StateProps) => {
  const [tone, word] = stateLabels[state.kind];
  return (
    <div class="live-state" role="status">
      <span class={`pulse ${isPaused ? '' : tone}`} />
      {isPaused ? `Paused, ${countOf(bufferedCount, 'event')} since` : word}
    </div>
  );
};

const Nothing = ({ state }: { readonly state: Liveness }) => {
  if (state.kind === 'waiting' && state.problem !== undefined && state.problem.status !== 401)
    return <ProblemMessage problem={state.problem} />;
  return <EmptyState title="No events here yet">Events appear here as they are recorded.</EmptyState>;
};

const path = '/console/live';

export const LivePage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput(path, query, ['type', 'context']);
  const { events, bufferedCount, isPaused, state, toggle, clear } = useLiveLog(applied);
  useKeyboardShortcuts([{ keys: 'x', label: 'Pause or go on', act: toggle }]);
  return (
    <>
      <PageHeading
        title="Live log"
        lead={`Events as they are recorded, the newest first; the last ${maxShown} stay on the page.`}
      >
        <State state={state} isPaused={isPaused} bufferedCount={bufferedCount} />
        <button type="button" class="button" onClick={clear}>
          Clear
        </button>
        <button type="button" class={isPaused ? 'button primary' : 'button'} onClick={toggle}>
          {isPaused ? 'Go on' : 'Pause'}
        </button>
      </PageHeading>
      <search class="filters">
        <FilterField
          label="Whole type"
          isSearch
          placeholder="identity.PrincipalRegistered.v1"
          value={typed.type}
          onType={(value) => type('type', value)}
        />
        <FilterField
          label="Context"
          placeholder="Any"
          value={typed.context}
          onType={(value) => type('context', value)}
        />
      </search>
      {events.length === 0 ? (
        <Nothing state={state} />
      ) : (
        <Table label="Events" rows={events} columns={columns} keyOf={({ position }) => position} />
      )}
    </>
  );
};
