/** The aggregates of webhooks. */
import type { ContextAggregates } from '../kernel/aggregate';
import { webhookDelivery } from './delivery/decider';
import { webhookEndpointList } from './endpoints/decider';

export const context: ContextAggregates = { aggregates: [webhookEndpointList, webhookDelivery], references: 'none' };
