/** The views of places. */

import type { Projection } from '../kernel/projection';
import { placesProjection } from './places/project';

export const context: readonly Projection[] = [placesProjection];
