/** The places that were found, in the order of the search. */
import type { PlaceSearchResult } from '../../../../packages/client/src/schemas';
import { StatusBadge } from '../../components/status-badge';
import { addressBeside, closures, distanceOf, spaced } from '../labels';
import { Explanation } from './explanation';

/** Of the link, for the focus to come back to. */
export const rowId = (entityId: string): string => `place-${entityId}`;

interface RowProps {
  readonly place: PlaceSearchResult;
  readonly href: string;
  readonly hasDistance: boolean;
}

const Row = ({ place, href, hasDistance }: RowProps) => {
  const { entity_id: entityId, name, category, distance_m: meters, rating, status, synthetic, explanation } = place;
  const closure = closures[status];
  const address = addressBeside(place);
  return (
    <li>
      <div class="first">
        <a id={rowId(entityId)} href={href}>
          {name}
        </a>
        {hasDistance && <span class="distance">{distanceOf(meters)}</span>}
      </div>
      <div class="below">
        {spaced(category)}
        {rating !== null && ` · rated ${rating.toFixed(1)} of 5`}
        {address !== null && ` · ${address}`}
      </div>
      {closure !== undefined && <StatusBadge tone={closure.tone}>{closure.label}</StatusBadge>}
      {synthetic && <StatusBadge tone="warn">synthetic</StatusBadge>}
      {explanation !== undefined && <Explanation explanation={explanation} />}
    </li>
  );
};

interface Props {
  readonly places: readonly PlaceSearchResult[];
  readonly hrefOf: (entityId: string) => string;
  /** Distances from a point that the person chose, not from the middle of a map. */
  readonly hasDistance: boolean;
}

/** Each once, in the order of the places. */
const attributionsOf = (places: readonly PlaceSearchResult[]): readonly string[] => [
  ...new Set(places.flatMap(({ attribution }) => (attribution === null ? [] : [attribution]))),
];

export const PlaceList = ({ places, hrefOf, hasDistance }: Props) => {
  const attributions = attributionsOf(places);
  return (
    <>
      <ol class="places" aria-label="Places">
        {places.map((place) => (
          <Row key={place.entity_id} place={place} href={hrefOf(place.entity_id)} hasDistance={hasDistance} />
        ))}
      </ol>
      {attributions.length > 0 && <p class="below">Places: {attributions.join(' · ')}</p>}
    </>
  );
};
