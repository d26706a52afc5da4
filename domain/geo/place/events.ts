/** Changes of a place, as sources sent them. */
import { Instant, nullable } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { EntityId } from '../ids';
import { placeFields, SourceName, SourceVersion } from './place';

export const places = aggregate(
  { context: 'geo', name: 'place', id: EntityId },
  {
    /** The place as its source has it in this version, whole. */
    PlaceRecorded: { v: 1, data: placeFields },
    /** Versioned, so that an older change that arrives later does not bring the place back. The source may record it again. */
    PlaceRemoved: {
      v: 1,
      data: { entityId: EntityId, source: SourceName, sourceVersion: SourceVersion, occurredAt: nullable(Instant) },
    },
    /** From now on only the changes of another source count; its versions begin from the start. The content stays until that source sends its own. */
    PlaceHandedOver: { v: 1, data: { entityId: EntityId, fromSource: SourceName, toSource: SourceName } },
  },
);
export type PlaceEvent = typeof places.Event;

export const { stream: placeStream } = places;
