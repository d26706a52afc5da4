/** The places that were found, in the order of the search. */
import type { PlaceSearchResult } from '../../../../packages/client/src/schemas';
import { StatusBadge } from '../../components/status-badge';
import { closures, distanceOf, spaced } from '../labels';
import { Explanation } from './explanation';

/** Of the link, for the focus to come back to. */
export const rowId = (entityId: string): string => `place-${entityId}`;

interface RowProps {
  readonly place: PlaceSearchResult;
  readonly href: string;
}

const Row = ({ place, href }: RowProps) => {
  const { entity_id: entityId, name, category, distance_m: meters, rating, snippet, status, explanation } = place;
  const closure = closures[status];
  return (
    <li>
      <div class="first">
        <a id={rowId(entityId)} href={href}>
          {name}
        </a>
        <span class="distance">{distanceOf(meters)}</span>
      </div>
      <div class="below">
        {spaced(category)}
        {rating !== null && ` · rated ${rating.toFixed(1)} of 5`}
        {snippet !== null && ` · ${snippet}`}
      </div>
      {closure !== undefined && <StatusBadge tone={closure.tone}>{closure.label}</StatusBadge>}
      {explanation !== undefined && <Explanation explanation={explanation} />}
    </li>
  );
};

interface Props {
  readonly places: readonly PlaceSearchResult[];
  readonly hrefOf: (entityId: string) => string;
}

export const PlaceList = ({ places, hrefOf }: Props) => (
  <ol class="places" aria-label="Places">
    {places.map((place) => (
      <Row key={place.entity_id} place={place} href={hrefOf(place.entity_id)} />
    ))}
  </ol>
);
