/** The views of files. */
import type { Projection } from '../kernel/projection';

export const context: readonly Projection[] = [];
