/** The views of places and imports. */
import type { Projection } from '../kernel/projection';
import { importRefusalsProjection } from './import-refusals/project';
import { importsProjection } from './imports/project';
import { placeCardsProjection } from './place-cards/project';
import { placeIndexProjection } from './place-index/project';
import { placesProjection } from './places/project';

export const context: readonly Projection[] = [
  placesProjection,
  placeIndexProjection,
  placeCardsProjection,
  importsProjection,
  importRefusalsProjection,
];
