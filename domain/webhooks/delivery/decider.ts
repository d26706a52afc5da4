/** A delivery is attempted until it is accepted or given up. An attempt that is reported twice, or late, counts once. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import type { WebhookDeliveryId, WebhookEndpointId } from '../ids';
import { nextAttemptAfter } from '../limits';
import type { AttemptFault, WebhookDeliveryEvent, WebhookMessage } from './events';
import { type WebhookDeliveryState, webhookDeliveryRules } from './state';

interface OfDelivery {
  readonly deliveryId: WebhookDeliveryId;
}

export interface AttemptResult {
  readonly attemptedAt: Instant;
  readonly milliseconds: number;
  /** Null: no answer. */
  readonly statusCode: number | null;
  readonly fault: AttemptFault | null;
  readonly excerpt: string;
}

export type WebhookDeliveryCommand =
  | ({
      readonly type: 'RequestWebhookDelivery';
      readonly endpointId: WebhookEndpointId;
      readonly message: WebhookMessage;
    } & OfDelivery)
  | ({ readonly type: 'RecordWebhookAttempt'; readonly attempt: number } & AttemptResult & OfDelivery)
  | ({ readonly type: 'CancelWebhookDelivery'; readonly attempt: number } & OfDelivery)
  | ({ readonly type: 'RequestWebhookRedelivery'; readonly endpointId: WebhookEndpointId } & OfDelivery);

export type WebhookDeliveryRejection = 'webhook-delivery-unknown' | 'webhook-delivery-pending';

type Decision = Either<Rejection<WebhookDeliveryRejection>, readonly WebhookDeliveryEvent[]>;

const httpGone = 410;

export const isAccepted = (statusCode: number | null): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300;

/** A receiver that is gone, and a test, are tried once. */
export const isGone = (statusCode: number | null): boolean => statusCode === httpGone;

const recordAttempt = (
  command: Extract<WebhookDeliveryCommand, { type: 'RecordWebhookAttempt' }>,
  { endpointId, message, failures }: Extract<WebhookDeliveryState, { kind: 'pending' }>,
): readonly WebhookDeliveryEvent[] => {
  const { type: _, statusCode, fault, excerpt, ...made } = command;
  const attempt = { ...made, endpointId };
  if (statusCode !== null && isAccepted(statusCode))
    return [{ type: 'WebhookDelivered', data: { ...attempt, statusCode } }];
  const isOnce = isGone(statusCode) || message.eventType === 'webhook.test';
  const nextAttemptAt = isOnce ? null : nextAttemptAfter(command.attemptedAt, failures + 1);
  return [{ type: 'WebhookAttemptFailed', data: { ...attempt, statusCode, fault, excerpt, nextAttemptAt } }];
};

const decide = (command: WebhookDeliveryCommand, state: WebhookDeliveryState): Decision => {
  const { deliveryId } = command;
  if (command.type === 'RequestWebhookDelivery') {
    const { endpointId, message } = command;
    if (state.kind !== 'none') return right([]);
    return right([{ type: 'WebhookDeliveryRequested', data: { deliveryId, endpointId, message } }]);
  }
  if (command.type === 'RequestWebhookRedelivery') {
    if (state.kind === 'none' || state.endpointId !== command.endpointId)
      return reject('webhook-delivery-unknown', 'There is no such delivery.');
    if (state.kind === 'pending' && state.attempts === 0)
      return reject('webhook-delivery-pending', 'Its first attempt is under way.');
    return right([{ type: 'WebhookRedeliveryRequested', data: { deliveryId, attempt: state.attempts + 1 } }]);
  }
  if (state.kind !== 'pending' || command.attempt !== state.attempts + 1) return right([]);
  if (command.type === 'CancelWebhookDelivery')
    return right([{ type: 'WebhookDeliveryCanceled', data: { deliveryId } }]);
  return right(recordAttempt(command, state));
};

export const webhookDelivery: Decider<
  WebhookDeliveryCommand,
  WebhookDeliveryState,
  WebhookDeliveryEvent,
  WebhookDeliveryRejection
> = { ...webhookDeliveryRules, decide };
