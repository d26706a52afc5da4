/** Enqueues each attempt of a delivery: at once, and after a failed one when its pause is over. */
import type { TypeOf } from 'io-ts';
import { integer, record } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { type EnqueueJob, enqueueJob, policy } from '../../kernel/process';
import { type WebhookDeliveryEvent, webhookDeliveries } from '../delivery/events';
import { WebhookDeliveryId } from '../ids';

const WebhookAttempt = record('WebhookAttempt', { deliveryId: WebhookDeliveryId, attempt: integer(1) });
export type WebhookAttempt = TypeOf<typeof WebhookAttempt>;

export const attemptQueue: JobQueue<WebhookAttempt> = { name: 'webhook-attempts', payload: WebhookAttempt };

/** Of workers that die, or do not reach the log; what the receiver answers is an attempt of the delivery. */
const mostAttempts = 44;

const attemptAfter = ({ type, data }: WebhookDeliveryEvent): EnqueueJob | undefined => {
  const { deliveryId } = data;
  switch (type) {
    case 'WebhookDeliveryRequested':
      return enqueueJob(attemptQueue, { deliveryId, attempt: 1 }, { mostAttempts });
    case 'WebhookRedeliveryRequested':
      return enqueueJob(attemptQueue, { deliveryId, attempt: data.attempt }, { mostAttempts });
    case 'WebhookAttemptFailed': {
      const { attempt, nextAttemptAt: notBefore } = data;
      if (notBefore === null) return undefined;
      return enqueueJob(attemptQueue, { deliveryId, attempt: attempt + 1 }, { mostAttempts, notBefore });
    }
    case 'WebhookDelivered':
    case 'WebhookDeliveryCanceled':
      return undefined;
  }
};

export const attemptOnDelivery = policy({
  name: 'attempt-on-delivery',
  context: 'webhooks',
  subscribes: [webhookDeliveries],
  startFrom: 'first-event',
  key: ({ event, entityId }) => (attemptAfter(event) === undefined ? undefined : entityId),
  answer: ({ event }) => {
    const job = attemptAfter(event);
    return job === undefined ? [] : [job];
  },
});
