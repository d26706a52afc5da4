/** Erasures change rows of every view; none is their own. */
import type { Projection } from '../kernel/projection';

export const context: readonly Projection[] = [];
