/** A delivery from its request to its end. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import { fold } from '../../domain/kernel/decider';
import { plusSeconds } from '../../domain/kernel/instant';
import { enqueueJob } from '../../domain/kernel/process';
import type { VideoId } from '../../domain/video/ids';
import type { VideoEvent } from '../../domain/video/video/events';
import { attemptOnDelivery, attemptQueue } from '../../domain/webhooks/attempt-on-delivery/process';
import { type WebhookDeliveryCommand, webhookDelivery } from '../../domain/webhooks/delivery/decider';
import type { WebhookDeliveryEvent, WebhookMessage } from '../../domain/webhooks/delivery/events';
import type { WebhookDeliveryId, WebhookEndpointId } from '../../domain/webhooks/ids';
import { maxAttempts } from '../../domain/webhooks/limits';
import { publicationQueue, publishOnVideo } from '../../domain/webhooks/publish-on-video/process';
import { given } from '../kernel/domain/given-when-then';
import { givenProcess } from '../kernel/processes/given-process';

const at = '2026-01-31T12:00:00.000Z' as Instant;
const deliveryId = 'd-1' as WebhookDeliveryId;
const endpointId = 'e-1' as WebhookEndpointId;
const message: WebhookMessage = {
  ...{ eventId: 'e-1', eventType: 'video.ready', occurredAt: at },
  data: { videoId: 'v-1', generation: 1 },
};
const request = { type: 'RequestWebhookDelivery', deliveryId, endpointId, message } as const;
const requestedOf = (of: WebhookMessage): WebhookDeliveryEvent => ({
  type: 'WebhookDeliveryRequested',
  data: { deliveryId, endpointId, message: of },
});
const requested = requestedOf(message);
const answered = (attempt: number, statusCode: number | null, attemptedAt = at): WebhookDeliveryCommand => ({
  type: 'RecordWebhookAttempt',
  ...{ deliveryId, attempt, attemptedAt, milliseconds: 40 },
  ...{ statusCode, fault: statusCode === null ? 'no-answer' : null, excerpt: '' },
});
const delivered = (attempt: number): WebhookDeliveryEvent => ({
  type: 'WebhookDelivered',
  data: { deliveryId, endpointId, attempt, attemptedAt: at, milliseconds: 40, statusCode: 204 },
});
const failed = (attempt: number, nextAttemptAt: Instant | null, statusCode = 500): WebhookDeliveryEvent => {
  const made = { deliveryId, endpointId, attempt, attemptedAt: at, milliseconds: 40 };
  return { type: 'WebhookAttemptFailed', data: { ...made, statusCode, fault: null, excerpt: '', nextAttemptAt } };
};
const redeliver = { type: 'RequestWebhookRedelivery', deliveryId, endpointId } as const;
const redelivered = (attempt: number): WebhookDeliveryEvent => ({
  type: 'WebhookRedeliveryRequested',
  data: { deliveryId, attempt },
});
const canceled: WebhookDeliveryEvent = { type: 'WebhookDeliveryCanceled', data: { deliveryId } };

describe('a delivery', () => {
  it('is requested once', () => {
    given(webhookDelivery).when(request).then(requested);
    given(webhookDelivery, requested).when(request).thenNothing();
  });

  it('ends with any answer of success, and an attempt that is reported twice counts once', () => {
    given(webhookDelivery, requested).when(answered(1, 204)).then(delivered(1));
    given(webhookDelivery, requested, delivered(1)).when(answered(1, 204)).thenNothing();
    given(webhookDelivery, requested, delivered(1)).when(answered(2, 204)).thenNothing();
  });

  for (const statusCode of [301, 404, 500])
    it(`is tried again after ${statusCode}`, () =>
      given(webhookDelivery, requested)
        .when(answered(1, statusCode))
        .then(failed(1, plusSeconds(at, 5), statusCode)));

  it('is tried within a day, with pauses that never shrink, and then given up', () => {
    let now = at;
    const history: WebhookDeliveryEvent[] = [requested];
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const state = fold(webhookDelivery, webhookDelivery.initial, history);
      const decided = webhookDelivery.decide(answered(attempt, null, now), state);
      assert.ok(isRight(decided));
      const [event] = decided.right;
      assert.ok(event?.type === 'WebhookAttemptFailed');
      history.push(event);
      const { nextAttemptAt } = event.data;
      assert.equal(nextAttemptAt === null, attempt === maxAttempts);
      if (nextAttemptAt === null) break;
      pauses.push(Date.parse(nextAttemptAt) - Date.parse(now));
      now = nextAttemptAt;
    }
    assert.deepEqual(
      pauses,
      pauses.toSorted((one, other) => one - other),
    );
    const hours = (Date.parse(now) - Date.parse(at)) / 3_600_000;
    assert.ok(hours > 20 && hours <= 24, `${hours} h`);
    given(webhookDelivery, ...history)
      .when(answered(maxAttempts + 1, 204))
      .thenNothing();
  });

  it('is not tried again where the receiver is gone, and a test is tried once', () => {
    given(webhookDelivery, requested)
      .when(answered(1, 410))
      .then(failed(1, null, 410));
    const test = requestedOf({ ...message, eventType: 'webhook.test' });
    given(webhookDelivery, test).when(answered(1, 500)).then(failed(1, null));
  });

  it('is canceled before an attempt, and not after it', () => {
    const cancel = { type: 'CancelWebhookDelivery', deliveryId, attempt: 1 } as const;
    given(webhookDelivery, requested).when(cancel).then(canceled);
    given(webhookDelivery, requested, delivered(1)).when(cancel).thenNothing();
    given(webhookDelivery, requested, failed(1, at)).when(cancel).thenNothing();
  });

  it('is repeated by hand, with all attempts of a new one, also while it waits for its next attempt', () => {
    for (const end of [[delivered(1)], [failed(1, null)], [failed(1, plusSeconds(at, 5))]])
      given(webhookDelivery, requested, ...end)
        .when(redeliver)
        .then(redelivered(2));
    given(webhookDelivery, requested, canceled).when(redeliver).then(redelivered(1));
    given(webhookDelivery, requested).when(redeliver).rejects('webhook-delivery-pending');
    given(webhookDelivery).when(redeliver).rejects('webhook-delivery-unknown');
    const foreign = { ...redeliver, endpointId: 'e-2' as WebhookEndpointId };
    given(webhookDelivery, requested, delivered(1)).when(foreign).rejects('webhook-delivery-unknown');
    given(webhookDelivery, requested, failed(1, null), redelivered(2))
      .when(answered(2, 500))
      .then(failed(2, plusSeconds(at, 5)));
  });
});

describe('the attempts of a delivery', () => {
  const job = (attempt: number, more = {}) =>
    enqueueJob(attemptQueue, { deliveryId, attempt }, { mostAttempts: 44, ...more });

  it('begin at once, and follow when their pause is over', () => {
    const process = givenProcess(attemptOnDelivery);
    process.when(requested).answers(job(1));
    process.when(failed(3, plusSeconds(at, 60))).answers(job(4, { notBefore: plusSeconds(at, 60) }));
    process.when(redelivered(9)).answers(job(9));
  });

  it('end with the delivery', () => {
    for (const event of [delivered(1), failed(1, null), canceled]) givenProcess(attemptOnDelivery).ignores(event);
  });
});

describe('messages of videos', () => {
  const videoId = 'v-1' as VideoId;
  const [happened, of] = [
    { eventId: 'e-1', occurredAt: at },
    { videoId, generation: 1 },
  ];

  it('have ids, numbers and codes: no keys of objects, no details of failures', () => {
    const process = givenProcess(publishOnVideo);
    const uploaded: VideoEvent = {
      type: 'VideoUploaded',
      data: {
        ...{ ...of, uploadId: 'v-1-1' as never, ownerId: 'ada' as never, rawObjectKey: 'videos/raw', etag: '"1"' },
        ...{ fileSize: 9, contentType: 'video/mp4' },
      },
    };
    const source = { uploadId: 'v-1-1', ownerId: 'ada', fileSize: 9, contentType: 'video/mp4' };
    process
      .when(uploaded)
      .answers(enqueueJob(publicationQueue, { ...happened, eventType: 'video.uploaded', data: { ...of, ...source } }));
    process
      .when({ type: 'VideoReady', data: { ...of, manifestSha256: 'a'.repeat(64) } })
      .answers(enqueueJob(publicationQueue, { ...happened, eventType: 'video.ready', data: of }));
    const code = { stage: 'probe', code: 'NO_VIDEO' } as const;
    for (const type of ['VideoFailed', 'GenerationFailed'] as const)
      process
        .when({ type, data: { ...of, ...code, detail: 'The file /tmp/x has no video.' } })
        .answers(enqueueJob(publicationQueue, { ...happened, eventType: 'video.failed', data: { ...of, ...code } }));
  });

  it('are of no other events', () =>
    givenProcess(publishOnVideo).ignores({
      type: 'VideoDeleted',
      data: { videoId, deletedBy: 'ada' as never, ownerId: 'ada' as never, uploadIds: [] },
    }));
});
