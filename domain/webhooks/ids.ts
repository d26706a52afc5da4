/** Ids of the webhooks context. */
import type { TypeOf } from 'io-ts';
import { idOf } from '../kernel/ids';

export const WebhookEndpointId = idOf('WebhookEndpointId');
export type WebhookEndpointId = TypeOf<typeof WebhookEndpointId>;

/** Names a secret of an endpoint; the keystore derives the secret of it, and the log has the name alone. */
export const WebhookSecretId = idOf('WebhookSecretId');
export type WebhookSecretId = TypeOf<typeof WebhookSecretId>;

/** One event on its way to one endpoint. */
export const WebhookDeliveryId = idOf('WebhookDeliveryId');
export type WebhookDeliveryId = TypeOf<typeof WebhookDeliveryId>;
