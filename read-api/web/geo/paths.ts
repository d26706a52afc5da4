/** Paths of the pages of places. */
import { segment, withQuery } from '../kernel/router';

export const placesPath = '/console/places';
export const importsPath = '/console/place-imports';
export const importPath = (importId: string): string => `${importsPath}/${segment(importId)}`;

/** One place, on the map of all. */
export const placePath = (entityId: string): string => withQuery(placesPath, { place: entityId });
