/** The platform's views, a line each. */

import type { Projection } from '../kernel/projection';
import { platformEventsProjection } from './events/project';
import { forgottenKeysProjection } from './forgotten-keys/project';
import { platformStreamsProjection } from './streams/project';

export const context: readonly Projection[] = [
  platformStreamsProjection,
  platformEventsProjection,
  forgottenKeysProjection,
];
