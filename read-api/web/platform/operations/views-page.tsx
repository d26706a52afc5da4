/** Read models: lag behind the log and result of the last rebuild. */
import { useState } from 'preact/hooks';
import { listPlatformViews } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { EmptyState } from '../../components/empty-state';
import { FilterField } from '../../components/filter-field';
import { PageHeading } from '../../components/page-heading';
import { StatusBadge, type Tone } from '../../components/status-badge';
import { type Column, Table } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { countOf, durationOf, numberOf } from '../../kernel/format';
import { hasScope } from '../../kernel/permissions';
import { useFilterInput } from '../../kernel/use-filter-input';
import { useResource } from '../../kernel/use-resource';
import type { PageProps } from '../../shell/section';
import type { ViewRebuild, ViewRow } from '../api-types';
import { streamPath, viewsPath } from '../paths';
import { RebuildDialog, RebuildProgress } from './rebuild-view';
import { ViewState } from './view-state';

const outcomes: { readonly [outcome: string]: Tone } = { switched: 'good', failed: 'bad', 'cut-off': 'bad' };

const Lag = ({ view: { lagSeconds, lagEvents } }: { readonly view: ViewRow }) => (
  <>
    {durationOf(lagSeconds)}
    {lagEvents !== null && <div class="below">{countOf(lagEvents, 'event')}</div>}
  </>
);

const Progress = ({ rebuild: { secondsLeft, events, eventsPerSecond } }: { readonly rebuild: ViewRebuild }) => (
  <div class="below">
    {numberOf(events)} events, {numberOf(eventsPerSecond)}/s
    {secondsLeft === null ? '' : `, ${durationOf(secondsLeft)} left`}
  </div>
);

const Rebuild = ({ view }: { readonly view: ViewRow }) => {
  const { lastRebuild: rebuild } = view;
  if (rebuild === null) return <span class="faint">Never</span>;
  const { outcome, by, began, differs, reason, resumedFrom } = rebuild;
  return (
    <>
      <StatusBadge tone={outcomes[outcome] ?? 'warn'}>{outcome}</StatusBadge> <Timestamp at={began} />
      <div class="below">By {by}</div>
      <RebuildProgress view={view} />
      <Progress rebuild={rebuild} />
      {resumedFrom !== null && <div class="below">Resumed at position {resumedFrom}</div>}
      {differs !== null && <div class="below">{differs ? 'Differed from the live rows' : 'Same as the live rows'}</div>}
      {reason !== null && <div class="below">{reason}</div>}
    </>
  );
};

/** A stream records each skip with actor and reason. */
const Skipped = ({ count }: { readonly count: number }) =>
  count === 0 ? '0' : <a href={streamPath('platform.skips-platform.projections')}>{numberOf(count)}</a>;

/** Undefined: the caller may not rebuild views. */
type OpenRebuild = ((view: ViewRow) => void) | undefined;

const RebuildButton = ({ view, open }: { readonly view: ViewRow; readonly open: OpenRebuild }) =>
  open === undefined ? null : (
    <button
      type="button"
      class="button small"
      aria-label={`Rebuild ${view.name}`}
      disabled={view.lastRebuild?.outcome === 'running'}
      onClick={() => open(view)}
    >
      Rebuild
    </button>
  );

const ViewName = ({ view, open }: { readonly view: ViewRow; readonly open: OpenRebuild }) => (
  <>
    <span class="mono">{view.name}</span>
    <div class="below">
      {view.store}, version {view.version}
      {view.generation === null ? '' : `, copy ${view.generation}`}
    </div>
    {view.why !== null && <div class="below">{view.why}</div>}
    <div class="below narrow">
      {durationOf(view.lagSeconds)} behind. Rebuilt: {view.lastRebuild?.outcome ?? 'never'}
      <RebuildProgress view={view} />
      <p>
        <RebuildButton view={view} open={open} />
      </p>
    </div>
  </>
);

const columnsFor = (open: OpenRebuild): readonly Column<ViewRow>[] => [
  { title: 'View', show: (view) => <ViewName view={view} open={open} /> },
  { title: 'State', show: (view) => <ViewState view={view} /> },
  { title: 'Lag', kind: 'number', isWide: true, show: (view) => <Lag view={view} /> },
  { title: 'Skipped', kind: 'number', isWide: true, show: ({ skippedEvents }) => <Skipped count={skippedEvents} /> },
  {
    title: 'Checkpoint',
    kind: 'number',
    isWide: true,
    show: ({ checkpoint }) => <span class="mono">{checkpoint ?? '—'}</span>,
  },
  { title: 'Last rebuild', isWide: true, show: (view) => <Rebuild view={view} /> },
];

const actionColumn = (open: OpenRebuild): Column<ViewRow> => ({
  title: 'Actions',
  kind: 'tight',
  isWide: true,
  show: (view) => <RebuildButton view={view} open={open} />,
});

const everyMilliseconds = 2_000;

export const ViewsPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput(viewsPath, query, ['search']);
  const wanted = applied.search.trim().toLowerCase();
  const isWanted = ({ name, store }: ViewRow): boolean => name.includes(wanted) || store === wanted;
  const views = useResource(listPlatformViews(), { everyMilliseconds });
  const [rebuilding, setRebuilding] = useState<ViewRow>();
  const open = hasScope('platform:write') ? setRebuilding : undefined;
  const columns = [...columnsFor(open), ...(open === undefined ? [] : [actionColumn(open)])];
  return (
    <>
      <PageHeading
        title="Views"
        lead="Read models that projectors build from the log. A view is rebuilt beside the live one and compared before it replaces it."
      />
      <search class="filters">
        <FilterField
          label="Part of the name, or a store"
          isSearch
          placeholder="identity, postgres, …"
          value={typed.search}
          onType={(value) => type('search', value)}
        />
      </search>
      <AsyncContent source={views}>
        {({ items }) => {
          const found = items.filter(isWanted);
          if (items.length === 0) return <EmptyState title="No projector has reported yet" />;
          if (found.length === 0) return <EmptyState title="No view matches">Change or clear the filter.</EmptyState>;
          return (
            <>
              <Table label="Views" rows={found} columns={columns} keyOf={({ name }) => name} />
              <p class="more">{countOf(found.length, 'view')}</p>
            </>
          );
        }}
      </AsyncContent>
      {rebuilding !== undefined && (
        <RebuildDialog view={rebuilding} begun={views.reload} close={() => setRebuilding(undefined)} />
      )}
    </>
  );
};
