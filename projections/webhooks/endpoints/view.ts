/** Webhook endpoints of a tenant, without removed ones. */
import type { TypeOf } from 'io-ts';
import { Instant, integer, nullable, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import {
  EndpointDisabledReason,
  WebhookDescription,
  WebhookEventTypes,
  WebhookUrl,
} from '../../../domain/webhooks/endpoints/events';
import { WebhookEndpointId } from '../../../domain/webhooks/ids';
import { type TableView, table } from '../../kernel/view';

export const WebhookEndpointRow = record('WebhookEndpointRow', {
  tenantId: TenantId,
  endpointId: WebhookEndpointId,
  url: WebhookUrl,
  eventTypes: WebhookEventTypes,
  description: WebhookDescription,
  /** Null: it is enabled. */
  disabledReason: nullable(EndpointDisabledReason),
  /** When the first of the deliveries failed that were given up since one was accepted. */
  failingSince: nullable(Instant),
  /** Until then webhooks are signed with earlier secrets, too. */
  earlierSecretUntil: nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  revision: integer(0),
});
export type WebhookEndpointRow = TypeOf<typeof WebhookEndpointRow>;

export const webhookEndpointsView: TableView<WebhookEndpointRow> = table({
  name: 'webhooks_endpoints',
  version: 1,
  row: WebhookEndpointRow,
  key: ['tenantId', 'endpointId'],
  indexes: [['tenantId', 'createdAt', 'endpointId']],
});
