/** The views of webhooks. */
import type { Projection } from '../kernel/projection';
import { webhookAttemptsProjection } from './attempts/project';
import { webhookDeliveriesProjection } from './deliveries/project';
import { webhookEndpointsProjection } from './endpoints/project';

export const context: readonly Projection[] = [
  webhookEndpointsProjection,
  webhookDeliveriesProjection,
  webhookAttemptsProjection,
];
