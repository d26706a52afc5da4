/** The world's towns as the loader imports them, decoded as the lines of its file are. */
import { isLeft } from 'fp-ts/Either';
import { decodeChange } from '../../../commands/geo/changes/decode-change';
import type { Place } from '../../../domain/geo/place/place';
import { realPlaces } from '../../../tools/load-places/real-places';

export const townPlaces = (): readonly Place[] =>
  realPlaces().map(({ line }) => {
    const command = decodeChange({ ...line, op: 'create', version: 1, source: 'geonames' });
    if (isLeft(command)) throw new Error(`${line.entity_id}: ${JSON.stringify(command.left)}`);
    if (command.right.type !== 'RecordPlace') throw new Error(`${line.entity_id} records no place.`);
    return command.right.place;
  });
