/** The views of places. */
import type { Projection } from '../kernel/projection';
import { placeCardsProjection } from './place-cards/project';
import { placeIndexProjection } from './place-index/project';
import { placesProjection } from './places/project';

export const context: readonly Projection[] = [placesProjection, placeIndexProjection, placeCardsProjection];
