import { places } from '../../../domain/geo/place/events';
import type { Address, Place } from '../../../domain/geo/place/place';
import { projection, putRow, removeRow, streamsOf } from '../../kernel/projection';
import { type PlaceCardRow, placeCardsView } from './view';

const maxLength = 300;

/** Street, locality, region and country, as far as they are known. */
const snippetOf = (address: Address | null): string | null => {
  const { street, locality, region, country } = address ?? {};
  const known = [street, locality, region, country].filter((part) => part !== null && part !== undefined);
  if (known.length === 0) return null;
  const whole = [...known.join(', ')];
  // By characters, so that none is cut in half; those of two units count twice.
  let text = '';
  for (const letter of whole) if (text.length + letter.length <= maxLength) text += letter;
  return text;
};

export const cardFieldsOf = ({ entityId, name, category, status, rating, address, synthetic, attribution }: Place) => ({
  entityId,
  name,
  category,
  status,
  rating: rating?.average ?? null,
  snippet: snippetOf(address),
  synthetic,
  attribution,
});

export const placeCardsProjection = projection(placeCardsView, [
  streamsOf(places, {
    PlaceRecorded: ({ data, at }) => putRow<PlaceCardRow>({ ...cardFieldsOf(data), ...at }),
    PlaceRemoved: ({ data: { entityId }, at: { tenantId } }) => removeRow<PlaceCardRow>({ tenantId, entityId }),
    ignored: ['PlaceHandedOver'],
  }),
]);
