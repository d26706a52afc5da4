/** Paths of the pages of places. */
import { segment, withQuery } from '../kernel/router';

export const placesPath = '/console/places';
export const importsPath = '/console/place-imports';
/** With the form open. */
export const newImportPath = withQuery(importsPath, { new: 'yes' });
export const importPath = (importId: string): string => `${importsPath}/${segment(importId)}`;

export interface LocatedPlace {
  readonly entity_id: string;
  readonly lat: number;
  readonly lng: number;
}

/** One place, and what is near it. */
export const placePath = ({ entity_id: place, lat, lng }: LocatedPlace): string =>
  withQuery(placesPath, { place, near: `${lat}, ${lng}`, radius: '5000' });
