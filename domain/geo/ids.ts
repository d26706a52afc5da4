/** Ids of the geo context. */
import type { TypeOf } from 'io-ts';
import { brandedText } from '../kernel/codec';
import { idOf } from '../kernel/ids';

/**
 * A place's id, as its source names it: `node/123` of OpenStreetMap, a URN, a URL. Unique within a tenant. No segment of dots alone, and none that
 * is empty but after a colon, because ids are in paths.
 */
export const EntityId = brandedText('EntityId', {
  maxLength: 128,
  pattern: '[A-Za-z0-9][A-Za-z0-9_-]*(?:(?:[.:@]|:?/{1,2})[A-Za-z0-9_-]+)*',
  examples: ['node/123'],
});
export type EntityId = TypeOf<typeof EntityId>;

/** One file of places, from its upload to its report. */
export const ImportId = idOf('ImportId');
export type ImportId = TypeOf<typeof ImportId>;
