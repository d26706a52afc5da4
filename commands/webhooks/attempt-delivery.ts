/** One attempt of a delivery: what the receiver answers is recorded, and decides about the next attempt. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import { wholeSeconds } from '../../domain/kernel/instant';
import { type Send, send } from '../../domain/kernel/process';
import type { WebhookAttempt } from '../../domain/webhooks/attempt-on-delivery/process';
import { type AttemptResult, isAccepted, isGone, webhookDelivery } from '../../domain/webhooks/delivery/decider';
import { type WebhookMessage, webhookDeliveryStream } from '../../domain/webhooks/delivery/events';
import type { WebhookDeliveryState } from '../../domain/webhooks/delivery/state';
import { webhookEndpointList } from '../../domain/webhooks/endpoints/decider';
import { webhookEndpointsStream } from '../../domain/webhooks/endpoints/events';
import type { WebhookEndpoint } from '../../domain/webhooks/endpoints/state';
import type { WebhookEndpointId } from '../../domain/webhooks/ids';
import { nextAttemptAfter } from '../../domain/webhooks/limits';
import type { Kms } from '../../infra/ports/kms';
import type { Clock } from '../../infra/ports/runtime/clock';
import type { PostWebhook } from '../../infra/ports/webhooks/post-webhook';
import { loadStream, type StreamSource } from '../kernel/load-stream';
import { again, type JobFailure, type PerformJob } from '../kernel/work-queue/job-handler';
import { deriveWebhookKey, webhookHeaders } from './signature';

export interface AttemptDeps extends StreamSource {
  readonly kms: Pick<Kms, 'derive'>;
  readonly postWebhook: PostWebhook;
  readonly clock: Clock;
}

type PendingDelivery = Extract<WebhookDeliveryState, { kind: 'pending' }>;

const bodyOf = ({ eventType: type, occurredAt: timestamp, data }: WebhookMessage): string =>
  JSON.stringify({ type, timestamp, data });

interface SigningRequest {
  readonly tenantId: TenantId;
  readonly endpointId: WebhookEndpointId;
  readonly secrets: WebhookEndpoint['secrets'];
  readonly at: Instant;
}

const signingKeys = async (
  { kms }: AttemptDeps,
  { tenantId, endpointId, secrets, at }: SigningRequest,
): Promise<Either<JobFailure, readonly Buffer[]>> => {
  const keys: Buffer[] = [];
  for (const { secretId, validUntil } of secrets) {
    if (validUntil !== null && validUntil <= at) continue;
    const key = await deriveWebhookKey(kms, { tenantId, endpointId, secretId });
    if (isLeft(key)) return again(key.left.detail);
    keys.push(key.right);
  }
  return right(keys);
};

/** CloudEvents 1.0, HTTP binding, binary mode: the body is the event's data. */
const cloudEventHeaders = ({ eventId, eventType, occurredAt }: WebhookMessage, source: string) => ({
  'ce-specversion': '1.0',
  'ce-id': eventId,
  'ce-source': source,
  'ce-type': eventType,
  'ce-time': occurredAt,
});

const post = async (
  { postWebhook, clock }: AttemptDeps,
  {
    url,
    message,
    source,
    keys,
    signal,
  }: { url: string; message: WebhookMessage; source: string; keys: readonly Buffer[]; signal: AbortSignal },
): Promise<AttemptResult> => {
  const attemptedAt = clock.now();
  const body = bodyOf(message);
  const signed = webhookHeaders({ id: message.eventId, timestamp: wholeSeconds(attemptedAt), body }, keys);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Septet-Webhooks/1',
    ...signed,
    ...cloudEventHeaders(message, source),
  };
  const answer = await postWebhook(url, { headers, body, signal });
  const milliseconds = Math.max(0, Date.parse(clock.now()) - Date.parse(attemptedAt));
  return isLeft(answer)
    ? { attemptedAt, milliseconds, statusCode: null, fault: answer.left, excerpt: '' }
    : { attemptedAt, milliseconds, fault: null, ...answer.right };
};

/** What follows from the attempt for its endpoint. */
const reportsOf = (
  { statusCode, attemptedAt: at }: AttemptResult,
  { endpointId, message, failures, firstFailedAt }: PendingDelivery,
  { failingSince }: WebhookEndpoint,
): readonly Send[] => {
  if (isAccepted(statusCode))
    return failingSince === null
      ? []
      : [send('webhooks.endpoints', 'endpoints', { type: 'RecordAcceptedDelivery', endpointId })];
  if (isGone(statusCode)) return [send('webhooks.endpoints', 'endpoints', { type: 'RecordReceiverGone', endpointId })];
  if (message.eventType === 'webhook.test' || nextAttemptAfter(at, failures + 1) !== null) return [];
  const givenUp = { type: 'RecordGivenUpDelivery', endpointId, firstFailedAt: firstFailedAt ?? at, at };
  return [send('webhooks.endpoints', 'endpoints', givenUp)];
};

export const attemptDelivery =
  (deps: AttemptDeps): PerformJob<WebhookAttempt> =>
  async ({ tenant: tenantId, payload: { deliveryId, attempt } }, { signal }) => {
    if (!TenantId.is(tenantId)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
    const delivery = await loadStream(deps, webhookDelivery, webhookDeliveryStream(tenantId, deliveryId));
    if (isLeft(delivery)) return again(delivery.left.detail);
    const pending = delivery.right;
    if (pending.kind !== 'pending' || pending.attempts + 1 !== attempt) return right([]);
    const { endpointId, message } = pending;
    const endpoints = await loadStream(deps, webhookEndpointList, webhookEndpointsStream(tenantId));
    if (isLeft(endpoints)) return again(endpoints.left.detail);
    const endpoint = endpoints.right.get(endpointId) ?? null;
    // A test is how an administrator finds out whether a disabled receiver is back.
    if (endpoint === null || (endpoint.disabled !== null && message.eventType !== 'webhook.test'))
      return right([send('webhooks.delivery', deliveryId, { type: 'CancelWebhookDelivery', deliveryId, attempt })]);
    const { url, secrets } = endpoint;
    const keys = await signingKeys(deps, { tenantId, endpointId, secrets, at: deps.clock.now() });
    if (isLeft(keys)) return keys;
    const result = await post(deps, { url, message, source: `urn:septet:${tenantId}`, keys: keys.right, signal });
    if (signal.aborted) return again('The attempt was ended.');
    const record = { type: 'RecordWebhookAttempt', deliveryId, attempt, ...result };
    return right([send('webhooks.delivery', deliveryId, record), ...reportsOf(result, pending, endpoint)]);
  };
