import { geohashOf } from '../../../domain/geo/geometry/geohash';
import { searchedHours } from '../../../domain/geo/hours/searched-hours';
import { places } from '../../../domain/geo/place/events';
import type { Place } from '../../../domain/geo/place/place';
import { foldedText } from '../../../domain/geo/ranking/folding';
import { popularityShare, ratingShare } from '../../../domain/geo/ranking/rank';
import { twinKeyOf } from '../../../domain/geo/ranking/twins';
import { projection, putRow, removeRow, streamsOf } from '../../kernel/projection';
import { type PlaceIndexRow, placeIndexView } from './view';

/** Of about 40 km, 5 km and 1 km. */
const cellLengths = [4, 5, 6];

const foldedAll = (texts: readonly (string | null | undefined)[]): string[] => {
  const folded = texts.flatMap((one) => (one === null || one === undefined ? [] : [foldedText(one)]));
  return [...new Set(folded)].filter((one) => one !== '');
};

type IndexFields = Omit<PlaceIndexRow, 'tenantId' | 'revision'>;

export const indexFieldsOf = (place: Place): IndexFields => {
  const { entityId, name, category, lat, lng, address, source, status, rating, popularity, hours, synthetic } = place;
  const point = { lat, lng };
  const names = foldedAll([name, ...place.alternativeNames.map((other) => other.name)]);
  const { openOnDay, openFromEvening, exceptionDates, openByException } = searchedHours(hours);
  return {
    entityId,
    name,
    category,
    location: { lat, lon: lng },
    cells: cellLengths.map((length) => geohashOf(point, length)),
    mainName: foldedText(name),
    names,
    words: [...names, ...foldedAll([category, address?.street, address?.locality, address?.region])],
    twinKey: twinKeyOf({ foldedName: foldedText(name), category, source, point }),
    source,
    status,
    synthetic,
    popularityShare: popularityShare(popularity),
    ratingShare: ratingShare(rating),
    rating: rating?.average ?? null,
    timeZone: hours?.tz ?? null,
    openOnDay: [...openOnDay],
    openFromEvening: [...openFromEvening],
    exceptionDates: [...exceptionDates],
    openByException: [...openByException],
  };
};

export const placeIndexProjection = projection(placeIndexView, [
  streamsOf(places, {
    PlaceRecorded: ({ data, at }) => putRow<PlaceIndexRow>({ ...indexFieldsOf(data), ...at }),
    PlaceRemoved: ({ data: { entityId }, at: { tenantId } }) => removeRow<PlaceIndexRow>({ tenantId, entityId }),
    ignored: ['PlaceHandedOver'],
  }),
]);
