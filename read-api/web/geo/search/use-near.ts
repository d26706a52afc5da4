/** The point that a search is near: typed as coordinates, or as the name of a place, which is looked up. */
import { searchPlaces } from '../../../../packages/client/src/operations';
import type { PlaceSearchResult } from '../../../../packages/client/src/schemas';
import type { Problem } from '../../kernel/problem';
import { useResource } from '../../kernel/use-resource';
import { pointText } from '../labels';
import { isPlaceName, wholeEarth } from './search-fields';

export interface Near {
  /** As coordinates; undefined while the name is looked up, and when no place has it. */
  readonly point: string | undefined;
  /** The best match of a name. */
  readonly place: PlaceSearchResult | undefined;
  /** Further matches. */
  readonly others: readonly PlaceSearchResult[];
  readonly isUnknown: boolean;
  readonly problem: Problem | undefined;
  readonly reload: () => void;
}

const mostMatches = 4;

const none: readonly PlaceSearchResult[] = [];

export const useNear = (near: string): Near => {
  const name = isPlaceName(near) ? near.trim() : undefined;
  const { content, problem, isOld, reload } = useResource(
    name === undefined
      ? undefined
      : searchPlaces({ lat: 0, lng: 0, bbox: wholeEarth, query: name, limit: mostMatches }),
  );
  if (name === undefined)
    return { point: near, place: undefined, others: none, isUnknown: false, problem: undefined, reload };
  const matches = isOld ? undefined : content?.results;
  const [place, ...others] = matches ?? none;
  return {
    point: place === undefined ? undefined : pointText(place),
    place,
    others: others.filter((other) => other.name === place?.name),
    isUnknown: matches?.length === 0,
    problem: isOld ? undefined : problem,
    reload,
  };
};
