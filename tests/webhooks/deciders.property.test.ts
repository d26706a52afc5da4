/** The deciders of webhooks under commands in any order, repeated and late. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import { fold } from '../../domain/kernel/decider';
import { plusSeconds } from '../../domain/kernel/instant';
import { type WebhookDeliveryCommand, webhookDelivery } from '../../domain/webhooks/delivery/decider';
import type { WebhookDeliveryEvent, WebhookMessage } from '../../domain/webhooks/delivery/events';
import { type WebhookEndpointCommand, webhookEndpointList } from '../../domain/webhooks/endpoints/decider';
import type { WebhookEndpointEvent } from '../../domain/webhooks/endpoints/events';
import type { WebhookDeliveryId, WebhookEndpointId, WebhookSecretId } from '../../domain/webhooks/ids';
import { maxAttempts, maxEndpoints, maxSecrets } from '../../domain/webhooks/limits';

const start = '2026-01-31T12:00:00.000Z' as Instant;
const instant = fc.nat(10 * 24 * 3_600).map((seconds) => plusSeconds(start, seconds));
const deliveryId = 'd-1' as WebhookDeliveryId;

const message: WebhookMessage = {
  ...{ eventId: 'e-1', eventType: 'video.ready', occurredAt: start },
  data: { videoId: 'v-1', generation: 1 },
};

const deliveryCommand: fc.Arbitrary<WebhookDeliveryCommand> = fc.oneof(
  fc.constant({ type: 'RequestWebhookDelivery', deliveryId, endpointId: 'e-1' as WebhookEndpointId, message } as const),
  {
    weight: 8,
    arbitrary: fc
      .record({
        attempt: fc.integer({ min: 1, max: 20 }),
        attemptedAt: instant,
        statusCode: fc.constantFrom(null, 200, 204, 302, 410, 500, 500, 500),
      })
      .map(({ statusCode, ...made }) => ({
        ...{ type: 'RecordWebhookAttempt', deliveryId, milliseconds: 40, excerpt: '', statusCode, ...made },
        fault: statusCode === null ? ('no-answer' as const) : null,
      })) as fc.Arbitrary<WebhookDeliveryCommand>,
  },
  fc.integer({ min: 1, max: 20 }).map((attempt) => ({ type: 'CancelWebhookDelivery', deliveryId, attempt }) as const),
  fc.constantFrom('e-1', 'e-2').map((endpointId) => ({
    ...({ type: 'RequestWebhookRedelivery', deliveryId } as const),
    endpointId: endpointId as WebhookEndpointId,
  })),
);

describe('deliveries, whatever is reported of them', () => {
  it('count each attempt once, in order, and are never tried more often than a round allows', () =>
    fc.assert(
      fc.property(fc.array(deliveryCommand, { maxLength: 80 }), (commands) => {
        const events: WebhookDeliveryEvent[] = [];
        for (const command of commands) {
          const decided = webhookDelivery.decide(command, fold(webhookDelivery, webhookDelivery.initial, events));
          if (isRight(decided)) events.push(...decided.right);
        }
        const attempts = events.flatMap(({ type, data }) =>
          type === 'WebhookDelivered' || type === 'WebhookAttemptFailed' ? [data.attempt] : [],
        );
        assert.deepEqual(
          attempts,
          attempts.map((_, index) => index + 1),
        );
        assert.ok(events.filter(({ type }) => type === 'WebhookDeliveryRequested').length <= 1);
        let round = 0;
        for (const event of events) {
          if (event.type === 'WebhookRedeliveryRequested') round = 0;
          if (event.type !== 'WebhookAttemptFailed') continue;
          round += 1;
          assert.ok(round <= maxAttempts);
          const { attemptedAt, nextAttemptAt } = event.data;
          assert.ok(nextAttemptAt === null || nextAttemptAt > attemptedAt);
        }
      }),
    ));
});

const endpointIds = Array.from({ length: maxEndpoints + 5 }, (_, index) => `e-${index}` as WebhookEndpointId);
const endpointId = fc.constantFrom(...endpointIds);
const secretId = fc.nat(1_000).map((number) => `s-${number}` as WebhookSecretId);
const settings = fc.record({
  url: fc.constantFrom('https://hooks.example.com/a', 'https://hooks.example.com/b', 'ftp://hooks.example.com'),
  eventTypes: fc.array(fc.constantFrom('video.uploaded' as const, 'video.ready' as const), {
    minLength: 1,
    maxLength: 3,
  }),
  description: fc.constantFrom('', 'Editors'),
});

const plain = <Type extends WebhookEndpointCommand['type']>(type: Type) =>
  endpointId.map((id) => ({ type, endpointId: id }) as unknown as WebhookEndpointCommand);

const endpointCommand: fc.Arbitrary<WebhookEndpointCommand> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(endpointId, secretId, settings).map(([id, secret, wanted]) => ({
      ...({ type: 'AddWebhookEndpoint' } as const),
      ...{ endpointId: id, secretId: secret, ...wanted },
    })),
  },
  fc
    .tuple(endpointId, settings)
    .map(([id, wanted]) => ({ type: 'ChangeWebhookEndpoint', endpointId: id, ...wanted }) as const),
  {
    weight: 2,
    arbitrary: fc.tuple(endpointId, secretId, instant).map(([id, secret, earlierUntil]) => ({
      ...({ type: 'RotateWebhookSecret' } as const),
      ...{ endpointId: id, secretId: secret, earlierUntil },
    })),
  },
  fc
    .tuple(endpointId, instant, instant)
    .map(([id, firstFailedAt, at]) => ({ type: 'RecordGivenUpDelivery', endpointId: id, firstFailedAt, at }) as const),
  plain('DisableWebhookEndpoint'),
  plain('EnableWebhookEndpoint'),
  plain('RecordAcceptedDelivery'),
  plain('RecordReceiverGone'),
  plain('RemoveWebhookEndpoint'),
);

describe('endpoints of webhooks, whatever is changed of them', () => {
  it('are as many as is allowed, have one secret without an end, and none comes back', () =>
    fc.assert(
      fc.property(fc.array(endpointCommand, { maxLength: 200 }), (commands) => {
        const events: WebhookEndpointEvent[] = [];
        const removed = new Set<WebhookEndpointId>();
        for (const command of commands) {
          const decided = webhookEndpointList.decide(
            command,
            fold(webhookEndpointList, webhookEndpointList.initial, events),
          );
          if (!isRight(decided)) continue;
          events.push(...decided.right);
          for (const { type, data } of decided.right) {
            assert.ok(!removed.has(data.endpointId));
            if (type === 'WebhookEndpointRemoved') removed.add(data.endpointId);
          }
          const present = [...fold(webhookEndpointList, webhookEndpointList.initial, events).values()].filter(
            (endpoint) => endpoint !== null,
          );
          assert.ok(present.length <= maxEndpoints);
          for (const { url, eventTypes, secrets } of present) {
            assert.match(url, /^https:/);
            assert.equal(new Set(eventTypes).size, eventTypes.length);
            assert.ok(secrets.length >= 1 && secrets.length <= maxSecrets);
            assert.deepEqual(
              secrets.map(({ validUntil }) => validUntil === null),
              secrets.map((_, index) => index === 0),
            );
          }
        }
      }),
      { numRuns: 60 },
    ));
});
