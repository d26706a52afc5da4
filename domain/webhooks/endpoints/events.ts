/** Events of a tenant's webhook endpoints. */
import type { TypeOf } from 'io-ts';
import { Instant, listOf, nameText, oneOf, record, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import type { TenantId } from '../../kernel/ids';
import { WebhookEndpointId, WebhookSecretId } from '../ids';

/** Named as the Standard Webhooks specification recommends. */
export const webhookEventTypes = ['video.uploaded', 'video.ready', 'video.failed', 'security.alert'] as const;

const WebhookEventType = oneOf('WebhookEventType', webhookEventTypes);

export const WebhookUrl = text('WebhookUrl', {
  content: 'address',
  maxLength: 1_024,
  examples: ['https://hooks.example.com/septet'],
});

export const WebhookDescription = nameText('WebhookDescription', {
  minLength: 0,
  maxLength: 200,
  examples: ['Notifies editors of finished videos'],
});

export const WebhookEventTypes = listOf('WebhookEventTypes', WebhookEventType, webhookEventTypes.length, 1);

/** `failing`: deliveries were given up for days; `gone`: the receiver answered 410. */
export const EndpointDisabledReason = oneOf('EndpointDisabledReason', ['by-administrator', 'failing', 'gone']);
export type EndpointDisabledReason = TypeOf<typeof EndpointDisabledReason>;

const settings = { url: WebhookUrl, eventTypes: WebhookEventTypes, description: WebhookDescription };

export const WebhookSettings = record('WebhookSettings', settings);
export type WebhookSettings = TypeOf<typeof WebhookSettings>;

const endpointId = { endpointId: WebhookEndpointId };

export const webhookEndpoints = aggregate(
  { context: 'webhooks', name: 'endpoints' },
  {
    WebhookEndpointAdded: { v: 1, data: { ...endpointId, ...settings, secretId: WebhookSecretId } },
    WebhookEndpointChanged: { v: 1, data: { ...endpointId, ...settings } },
    /** Earlier secrets sign until then, beside the new one. */
    WebhookSecretRotated: { v: 1, data: { ...endpointId, secretId: WebhookSecretId, earlierUntil: Instant } },
    /** A delivery was given up, and none was accepted since its first attempt. */
    WebhookEndpointFailing: { v: 1, data: { ...endpointId, since: Instant } },
    WebhookEndpointRecovered: { v: 1, data: endpointId },
    /** It gets no deliveries, and pending ones end. */
    WebhookEndpointDisabled: { v: 1, data: { ...endpointId, reason: EndpointDisabledReason } },
    WebhookEndpointEnabled: { v: 1, data: endpointId },
    WebhookEndpointRemoved: { v: 1, data: endpointId },
  },
);
export type WebhookEndpointEvent = typeof webhookEndpoints.Event;

/** One of a tenant. */
export const webhookEndpointsStream = (tenant: TenantId): string => webhookEndpoints.stream(tenant, 'endpoints');
