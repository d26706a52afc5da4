/** The live log. While paused it buffers new events, and shows them when resumed. */

import { listPlatformEventTypes } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { EmptyState } from '../../components/empty-state';
import { FilterField } from '../../components/filter-field';
import { JsonView } from '../../components/json-view';
import { PageHeading } from '../../components/page-heading';
import { ProblemMessage } from '../../components/problem-message';
import type { Tone } from '../../components/status-badge';
import { type Column, Table } from '../../components/table';
import { ClockTime } from '../../components/timestamp';
import type { Liveness } from '../../kernel/event-stream';
import { countOf } from '../../kernel/format';
import { useKeyboardShortcuts } from '../../kernel/keyboard-shortcuts';
import { useFilterInput } from '../../kernel/use-filter-input';
import { useResource } from '../../kernel/use-resource';
import { namedByData, StreamName } from '../../references/stream-name';
import type { PageProps } from '../../shell/section';
import type { EventRow } from '../api-types';
import { eventPath, streamPath } from '../paths';
import { EventActor } from './event-actor';
import { EventTypeName } from './event-type-name';
import { maxVisible, useLiveLog } from './use-live-log';

const columns: readonly Column<EventRow>[] = [
  {
    title: 'Event',
    show: (event) => (
      <div class="row-name">
        <a href={eventPath(event.stream, event.revision)}>
          <EventTypeName type={event.type} />
        </a>
        <div class="below">
          <StreamName stream={event.stream} named={namedByData(event.data)} isShort />
        </div>
        <div class="below narrow dotted">
          <span>
            by <EventActor event={event} />
          </span>
          <ClockTime at={event.at} />
        </div>
      </div>
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

const Nothing = ({ state, isFiltered }: { readonly state: Liveness; readonly isFiltered: boolean }) => {
  if (state.kind === 'waiting' && state.problem !== undefined && state.problem.status !== 401)
    return <ProblemMessage problem={state.problem} />;
  if (isFiltered)
    return <EmptyState title="None of the latest events matches">Others appear here as they are recorded.</EmptyState>;
  return <EmptyState title="No events here yet">Events appear here as they are recorded.</EmptyState>;
};

const path = '/console/live';

const contextsOf = (types: readonly string[]): readonly string[] => [
  ...new Set(types.map((type) => type.split('.', 1).join())),
];

/** All of an event without leaving the log. */
const InPlace = ({ event: { stream, revision, data, metadata } }: { readonly event: EventRow }) => (
  <>
    <div class="columns">
      <JsonView value={data} label="Data" />
      <JsonView value={metadata} label="Metadata" />
    </div>
    <p class="more">
      <a href={streamPath(stream)}>Stream</a>
      <a href={eventPath(stream, revision)}>Causes, effects and state</a>
    </p>
  </>
);

const details = {
  label: ({ type, revision }: EventRow) => `${type}, revision ${revision}`,
  show: (event: EventRow) => <InPlace event={event} />,
};

export const LivePage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput(path, query, ['type', 'context']);
  const types = useResource(listPlatformEventTypes()).content?.items ?? [];
  const { events, isLoaded, bufferedCount, isPaused, state, toggle, clear } = useLiveLog(applied);
  useKeyboardShortcuts([{ keys: 'x', label: 'Pause or resume', act: toggle }]);
  return (
    <>
      <PageHeading
        title="Live log"
        lead={`Events as they are recorded, newest first. The last ${maxVisible} stay on the page.`}
      >
        <State state={state} isPaused={isPaused} bufferedCount={bufferedCount} />
        <button type="button" class="button" onClick={clear}>
          Clear
        </button>
        <button type="button" class={isPaused ? 'button primary' : 'button'} onClick={toggle}>
          {isPaused ? 'Resume' : 'Pause'}
        </button>
      </PageHeading>
      <search class="filters">
        <FilterField
          label="Event"
          isSearch
          placeholder="PrincipalRegistered"
          value={typed.type}
          onType={(value) => type('type', value)}
          suggestions={types}
        />
        <FilterField
          label="Context"
          placeholder="Any"
          value={typed.context}
          onType={(value) => type('context', value)}
          suggestions={contextsOf(types)}
        />
      </search>
      <AsyncContent
        source={{ content: isLoaded || events.length > 0 ? events : undefined, problem: undefined, reload: clear }}
      >
        {(rows) =>
          rows.length === 0 ? (
            <Nothing state={state} isFiltered={applied.type !== '' || applied.context !== ''} />
          ) : (
            <Table label="Events" rows={rows} columns={columns} keyOf={({ position }) => position} details={details} />
          )
        }
      </AsyncContent>
    </>
  );
};
