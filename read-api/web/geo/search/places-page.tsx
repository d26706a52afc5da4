/** Places on a map and in a list, which show the same. The address names the search and the place that is open. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Entity, PlaceSearchResult } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { EmptyState } from '../../components/empty-state';
import { Guide } from '../../components/guide';
import { PageHeading } from '../../components/page-heading';
import { LoadMore } from '../../components/paged-table';
import { hasScope } from '../../kernel/permissions';
import { navigate, withQuery } from '../../kernel/router';
import { useFilterInput } from '../../kernel/use-filter-input';
import type { PageProps } from '../../shell/section';
import { pointText } from '../labels';
import { type Box, boxOf, boxText, type Point } from '../map/area';
import { PlaceMap } from '../map/place-map';
import type { Circle, MapView } from '../map/world-map';
import { importsPath, newImportPath, placesPath } from '../paths';
import { NearPlace, SplitWords } from './near-place';
import { PlaceDetails } from './place-details';
import { PlaceList, rowId } from './place-list';
import {
  isNarrowed,
  nearRadius,
  pointOf,
  radiusOf,
  type SearchFields,
  searchFieldNames,
  searchProblemOf,
} from './search-fields';
import { radiusFor, SearchForm } from './search-form';
import { useNear } from './use-near';
import { type Search, useSearch } from './use-search';

const mapPixels = 480;

const none: readonly PlaceSearchResult[] = [];

/** Where the map goes. It stays where it is when the search follows the map. */
const areaOf = (fields: SearchFields): Box | Circle | undefined => {
  const radius = radiusOf(fields);
  if (radius === '') return boxOf(fields.box);
  const point = pointOf(fields.near);
  return point === undefined ? undefined : { ...point, meters: Number(radius) };
};

const NoPlaces = () => (
  <EmptyState title="No places yet">
    Places come from files and feeds.{' '}
    {hasScope('places:write') ? (
      <>
        <a href={importsPath}>Import a file, or try the sample file.</a>{' '}
      </>
    ) : (
      'Importing them needs the scope places:write. '
    )}
    <Guide name="places" group="places" />
  </EmptyState>
);

const Nothing = ({ fields, warnings }: Pick<Search, 'warnings'> & { readonly fields: SearchFields }) => {
  const isSearch = isNarrowed(fields) || radiusOf(fields) !== '' || fields.box !== '';
  if (!isSearch && warnings.length === 0) return <NoPlaces />;
  return (
    <EmptyState title="No place was found">{warnings.join(' ')} Search a larger area, or with fewer words.</EmptyState>
  );
};

const Warnings = ({ warnings }: Pick<Search, 'warnings'>) =>
  warnings.length === 0 ? null : (
    <div class="notice warn" role="status">
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
    </div>
  );

interface FoundProps {
  readonly search: Search;
  readonly fields: SearchFields;
  readonly hasDistance: boolean;
  readonly hrefOf: (entityId: string) => string;
}

const Found = ({ search, fields, hasDistance, hrefOf }: FoundProps) => {
  const { places, problem, reload, more, moreProblem, isLoading } = search;
  return (
    <AsyncContent source={{ content: places, problem: searchProblemOf(problem), reload }} rows={8}>
      {(found) => (
        <>
          {found.length === 0 ? (
            <Nothing fields={fields} warnings={search.warnings} />
          ) : (
            <>
              <Warnings warnings={search.warnings} />
              <PlaceList places={found} hrefOf={hrefOf} hasDistance={hasDistance} />
              <LoadMore count={found.length} one="place" more={more} isLoading={isLoading} problem={moreProblem} />
            </>
          )}
        </>
      )}
    </AsyncContent>
  );
};

/** When the details close, the focus is where it was before. */
const useFocusBack = (open: string, isListed: boolean): void => {
  const before = useRef(open);
  useEffect(() => {
    const closed = before.current;
    if (open !== '' || closed === '') {
      before.current = open;
      return;
    }
    if (!isListed) return;
    before.current = open;
    document.getElementById(rowId(closed))?.focus();
  }, [open, isListed]);
};

const toResult = ({
  entity_id,
  name,
  category,
  lat,
  lng,
  rating,
  status,
  synthetic,
  attribution,
}: Entity): PlaceSearchResult => ({
  entity_id,
  name,
  category,
  lat,
  lng,
  rating,
  status,
  synthetic,
  attribution,
  distance_m: 0,
  snippet: null,
});

export const PlacesPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput(placesPath, query, searchFieldNames);
  const near = useNear(applied.near);
  const { point: nearText } = near;
  const fields = nearText === undefined ? undefined : { ...applied, near: nearText };
  const search = useSearch(fields);
  const [opened, setOpened] = useState<Entity>();
  const view = useRef<MapView>(undefined);
  const { place } = applied;
  const places = search.places ?? none;
  const found = places.find(({ entity_id }) => entity_id === place);
  useFocusBack(place, search.places !== undefined);
  const hrefWith = (changed: Partial<SearchFields>): string => withQuery(placesPath, { ...applied, ...changed });
  const point = pointOf(nearText ?? '');
  const area = fields === undefined ? undefined : areaOf(fields);
  const hasDistance = applied.near.trim() !== '' || applied.sort === 'distance';
  // The map need not go where it is, nor to where it was when a search of where it is now is on its way.
  const moved = useRef('');
  const isMoved = radiusOf(applied) === '' && (applied.box === moved.current || applied.box !== typed.box);
  const searchAround = (at: Point): void => {
    const meters = (view.current?.metersPerPixel ?? 0) * mapPixels;
    const radius = radiusOf(applied) === '' ? radiusFor(meters) : applied.radius;
    navigate(hrefWith({ near: pointText(at), radius, box: '', place: '' }));
  };
  const chooseRadius = (radius: string): void => {
    type('radius', radius);
    if (radius === '' && view.current !== undefined) type('box', boxText(view.current));
  };
  const typeNear = (text: string): void => {
    type('near', text);
    if (text.trim() === '') chooseRadius('');
    else if (typed.radius === '') type('radius', nearRadius);
  };
  const onView = (next: MapView, byPerson: boolean): void => {
    view.current = next;
    if (!byPerson || radiusOf(applied) !== '') return;
    moved.current = boxText(next);
    type('box', moved.current);
  };
  const placesOnMap = useMemo(
    () => (found === undefined && opened?.entity_id === place ? [...places, toResult(opened)] : places),
    [places, found, opened, place],
  );
  return (
    <>
      <PageHeading title="Find places" lead="By name, category and hours, in what the map shows or around a point.">
        {hasScope('places:write') && (
          <a class="button" href={newImportPath}>
            Import places
          </a>
        )}
      </PageHeading>
      <SearchForm
        typed={typed}
        type={type}
        categories={[...new Set(places.map(({ category }) => category))].toSorted()}
        onRadius={chooseRadius}
        onNear={typeNear}
      />
      <div class="place-finder">
        <PlaceMap
          places={placesOnMap}
          selected={place}
          circle={area !== undefined && 'meters' in area ? area : undefined}
          point={point}
          area={isMoved ? undefined : area}
          onView={onView}
          onPoint={searchAround}
          onPlace={(entityId) => navigate(hrefWith({ place: entityId }))}
        />
        <div class="found">
          {place === '' ? (
            <>
              <SplitWords query={applied.query} hrefOf={hrefWith} />
              <NearPlace name={applied.near} near={near} hrefOf={hrefWith} />
              {near.isUnknown || near.problem !== undefined ? null : (
                <Found
                  search={search}
                  fields={applied}
                  hasDistance={hasDistance}
                  hrefOf={(entityId) => hrefWith({ place: entityId })}
                />
              )}
            </>
          ) : (
            <PlaceDetails
              entityId={place}
              found={found}
              hasDistance={hasDistance}
              backHref={hrefWith({ place: '' })}
              nearHref={(at) =>
                hrefWith({ near: at, radius: nearRadius, box: '', query: '', category: '', open: '', place: '' })
              }
              onKnown={setOpened}
            />
          )}
        </div>
      </div>
    </>
  );
};
