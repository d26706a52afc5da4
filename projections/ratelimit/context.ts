/** The rate limiter's views. */

import type { Projection } from '../kernel/projection';
import { usageProjection } from './usage/project';

export const context: readonly Projection[] = [usageProjection];
