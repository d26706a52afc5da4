/** The page of the service of places: whether there are any, what is searched, and what was imported last. */
import { listPlaceImports, searchPlaces } from '../../../packages/client/src/operations';
import type { PlaceImport } from '../../../packages/client/src/schemas';
import { AsyncContent } from '../components/async-content';
import { EmptyState } from '../components/empty-state';
import { Guide } from '../components/guide';
import { LiveCharts, type LiveMetric } from '../components/live-charts';
import { PageHeading } from '../components/page-heading';
import { Snippet } from '../components/snippet';
import { type Column, Table } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { terminalPath } from '../identity/fixed-paths';
import { durationOf, rateOf } from '../kernel/format';
import { hasScope } from '../kernel/permissions';
import { useResource } from '../kernel/use-resource';
import { ImportState, outcomesOf } from './imports/import-progress';
import { importPath, importsPath, newImportPath, placesPath } from './paths';

const metrics: readonly LiveMetric[] = [
  { title: 'Searches', series: [{ label: 'all', tone: 'accent', series: 'place-searches' }], format: rateOf },
  {
    title: 'Search index',
    path: '/console/views',
    series: [{ label: 'seconds behind', tone: 'accent', series: 'lag/geo_place_index' }],
    format: (seconds) => (seconds < 1 ? 'up to date' : `${durationOf(seconds)} behind`),
  },
];

const columns: readonly Column<PlaceImport>[] = [
  {
    title: 'File',
    show: (one) => (
      <>
        <a href={importPath(one.importId)}>{one.fileName}</a>
        <div class="below">{outcomesOf(one)}</div>
        <div class="below narrow">
          <Timestamp at={one.createdAt} />
        </div>
      </>
    ),
  },
  { title: 'State', show: ({ status }) => <ImportState status={status} /> },
  { title: 'Started', kind: 'tight', isWide: true, show: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

const maxListed = 5;
const everyMilliseconds = 5_000;

const LatestImports = () => {
  const imports = useResource(listPlaceImports({ limit: maxListed }), { everyMilliseconds });
  return (
    <section class="section">
      <div class="section-head">
        <h2>Latest imports</h2>
        <a href={importsPath}>All imports</a>
      </div>
      <AsyncContent source={imports} rows={3}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="quiet">No file has been imported.</p>
          ) : (
            <Table label="Latest imports" rows={items} columns={columns} keyOf={({ importId }) => importId} />
          )
        }
      </AsyncContent>
    </section>
  );
};

const anyPlace = searchPlaces({ lat: 0, lng: 0, bbox: '-90,-180,90,180', limit: 1 });

const loadCommand = (): string => `field() { node -pe "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"; }
export CLIENT_ID=$(field clientId < admin.json) CLIENT_SECRET=$(field clientSecret < admin.json)
npm run -s places:load -- --url ${location.origin}`;

const None = () => (
  <>
    <EmptyState title="No places yet">
      Places come from files of CSV or GeoJSON and from feeds.{' '}
      {hasScope('places:write') ? (
        <a href={importsPath}>Import a file, or the sample.</a>
      ) : (
        'Importing them needs the scope places:write.'
      )}{' '}
      <Guide name="places" group="places" />
    </EmptyState>
    {hasScope('places:write') && (
      <>
        <Snippet
          title="Load the world’s towns"
          text="Run this in a checkout of Septet. It reads the credential in admin.json, and imports 171,075 towns."
          command={loadCommand()}
        />
        <p class="help">
          No admin.json? <a href={terminalPath}>Use the API from a terminal</a> creates one.
        </p>
      </>
    )}
  </>
);

export const PlacesOverviewPage = () => {
  const { content } = useResource(anyPlace);
  return (
    <>
      <PageHeading title="Places" lead="Places of the world, found by name, category, hours and distance.">
        {hasScope('places:write') && (
          <a class="button" href={newImportPath}>
            Import a file
          </a>
        )}
        <a class="button primary" href={placesPath}>
          Find places
        </a>
      </PageHeading>
      {content?.results.length === 0 && <None />}
      <LiveCharts metrics={metrics} />
      {hasScope('places:write') && <LatestImports />}
    </>
  );
};
