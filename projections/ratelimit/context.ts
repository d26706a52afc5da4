/** The rate limiter's views, a line each. */

import type { Projection } from '../kernel/projection';
import { usageProjection } from './usage/project';

export const context: readonly Projection[] = [usageProjection];
