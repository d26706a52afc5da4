/** State of a delivery. */
import type { Instant } from '../../kernel/codec';
import type { WebhookEndpointId } from '../ids';
import { type WebhookDeliveryEvent, type WebhookMessage, webhookDeliveries } from './events';

interface RequestedDelivery {
  readonly endpointId: WebhookEndpointId;
  readonly message: WebhookMessage;
  /** Made so far. */
  readonly attempts: number;
}

export type WebhookDeliveryState =
  | { readonly kind: 'none' }
  | ({
      readonly kind: 'pending';
      /** Of this round. */
      readonly failures: number;
      readonly firstFailedAt: Instant | null;
    } & RequestedDelivery)
  | ({ readonly kind: 'ended' } & RequestedDelivery);

const evolve = (state: WebhookDeliveryState, { type, data }: WebhookDeliveryEvent): WebhookDeliveryState => {
  if (type === 'WebhookDeliveryRequested') {
    const { endpointId, message } = data;
    return { kind: 'pending', endpointId, message, attempts: 0, failures: 0, firstFailedAt: null };
  }
  if (state.kind === 'none') return state;
  const { endpointId, message, attempts } = state;
  switch (type) {
    case 'WebhookDelivered':
      return { kind: 'ended', endpointId, message, attempts: data.attempt };
    case 'WebhookAttemptFailed': {
      const made = { endpointId, message, attempts: data.attempt };
      if (data.nextAttemptAt === null || state.kind === 'ended') return { kind: 'ended', ...made };
      const firstFailedAt = state.firstFailedAt ?? data.attemptedAt;
      return { kind: 'pending', ...made, failures: state.failures + 1, firstFailedAt };
    }
    case 'WebhookDeliveryCanceled':
      return { kind: 'ended', endpointId, message, attempts };
    case 'WebhookRedeliveryRequested':
      return {
        kind: 'pending',
        ...{ endpointId, message, attempts: data.attempt - 1, failures: 0, firstFailedAt: null },
      };
  }
};

const none: WebhookDeliveryState = { kind: 'none' };

export const webhookDeliveryRules = { family: webhookDeliveries, initial: none, evolve };
