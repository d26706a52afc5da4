/** Every view that is kept, one line each. */
import { epochsProjection } from './identity/epochs/project';
import { principalHistoryProjection } from './identity/principal-history/project';
import { principalsProjection } from './identity/principals/project';
import { securityEventsProjection } from './identity/security-events/project';
import type { Projection } from './kernel/projection';
import { platformEventsProjection } from './platform/events/project';
import { forgottenKeysProjection } from './platform/forgotten-keys/project';
import { platformStreamsProjection } from './platform/streams/project';

export const projections: readonly Projection[] = [
  principalsProjection,
  principalHistoryProjection,
  securityEventsProjection,
  epochsProjection,
  platformStreamsProjection,
  platformEventsProjection,
  forgottenKeysProjection,
];
