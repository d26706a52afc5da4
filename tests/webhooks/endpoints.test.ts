/** What administrators do with webhook endpoints, and what their deliveries make of them. */
import assert from 'node:assert/strict';
import type { Instant } from '../../domain/kernel/codec';
import { fold } from '../../domain/kernel/decider';
import { plusSeconds } from '../../domain/kernel/instant';
import { webhookEndpointList } from '../../domain/webhooks/endpoints/decider';
import type { WebhookEndpointEvent, WebhookSettings } from '../../domain/webhooks/endpoints/events';
import type { WebhookEndpointId, WebhookSecretId } from '../../domain/webhooks/ids';
import { failingSeconds, maxEndpoints } from '../../domain/webhooks/limits';
import { given } from '../kernel/domain/given-when-then';

const at = '2026-01-31T12:00:00.000Z' as Instant;
const endpointId = 'e-1' as WebhookEndpointId;
const secret = (name: string): WebhookSecretId => name as WebhookSecretId;
const settings: WebhookSettings = {
  url: 'https://hooks.example.com/septet',
  eventTypes: ['video.ready', 'video.failed'],
  description: 'Notifies editors',
};
const add = { type: 'AddWebhookEndpoint', endpointId, secretId: secret('s-1'), ...settings } as const;
const added: WebhookEndpointEvent = {
  type: 'WebhookEndpointAdded',
  data: { endpointId, secretId: secret('s-1'), ...settings },
};
const removed: WebhookEndpointEvent = { type: 'WebhookEndpointRemoved', data: { endpointId } };
const disabled: WebhookEndpointEvent = {
  type: 'WebhookEndpointDisabled',
  data: { endpointId, reason: 'by-administrator' },
};
const failing: WebhookEndpointEvent = { type: 'WebhookEndpointFailing', data: { endpointId, since: at } };
const rotate = (secretId: string, earlierUntil: Instant) =>
  ({ type: 'RotateWebhookSecret', endpointId, secretId: secret(secretId), earlierUntil }) as const;
const rotated = (secretId: string, earlierUntil: Instant): WebhookEndpointEvent => ({
  type: 'WebhookSecretRotated',
  data: { endpointId, secretId: secret(secretId), earlierUntil },
});

describe('a webhook endpoint', () => {
  it('is added once', () => {
    given(webhookEndpointList).when(add).then(added);
    given(webhookEndpointList, added).when(add).thenNothing();
    given(webhookEndpointList, added, removed).when(add).thenNothing();
  });

  for (const url of [
    'http://hooks.example.com/',
    'http://10.0.0.1/',
    'ftp://hooks.example.com/',
    'https://ada:secret@hooks.example.com/',
    'https://hooks.example.com/#part',
    'hooks.example.com',
  ])
    it(`is not at ${url}`, () =>
      given(webhookEndpointList)
        .when({ ...add, url })
        .rejects('webhook-url-refused'));

  it('is at https, or on this machine', () => {
    for (const url of ['https://hooks.example.com:8443/?a=b', 'http://localhost:9000/', 'http://[::1]/'])
      given(webhookEndpointList)
        .when({ ...add, url })
        .then({ type: 'WebhookEndpointAdded', data: { endpointId, secretId: secret('s-1'), ...settings, url } });
  });

  it('names each event type once', () =>
    given(webhookEndpointList)
      .when({ ...add, eventTypes: ['video.ready', 'video.ready'] })
      .rejects('webhook-event-types-repeated'));

  it('is one of so many; removed ones do not count', () => {
    const others = Array.from({ length: maxEndpoints }, (_, index): WebhookEndpointEvent => {
      const data = { endpointId: `o-${index}` as WebhookEndpointId, secretId: secret('s-1'), ...settings };
      return { type: 'WebhookEndpointAdded', data };
    });
    given(webhookEndpointList, ...others)
      .when(add)
      .rejects('too-many-webhook-endpoints');
    const gone: WebhookEndpointEvent = {
      type: 'WebhookEndpointRemoved',
      data: { endpointId: 'o-3' as WebhookEndpointId },
    };
    given(webhookEndpointList, ...others, gone)
      .when(add)
      .then(added);
  });

  it('is changed, and not to the same', () => {
    const change = { type: 'ChangeWebhookEndpoint', endpointId, ...settings } as const;
    const data = { endpointId, ...settings, description: '' };
    given(webhookEndpointList, added)
      .when({ ...change, description: '' })
      .then({ type: 'WebhookEndpointChanged', data });
    given(webhookEndpointList, added)
      .when({ ...change, eventTypes: ['video.failed', 'video.ready'] })
      .thenNothing();
    given(webhookEndpointList, added)
      .when({ ...change, url: 'http://a.example' })
      .rejects('webhook-url-refused');
  });

  it('is disabled, enabled and removed, each once', () => {
    const of = { endpointId };
    given(webhookEndpointList, added)
      .when({ type: 'DisableWebhookEndpoint', ...of })
      .then(disabled);
    given(webhookEndpointList, added, disabled)
      .when({ type: 'DisableWebhookEndpoint', ...of })
      .thenNothing();
    const enabled: WebhookEndpointEvent = { type: 'WebhookEndpointEnabled', data: of };
    given(webhookEndpointList, added, disabled)
      .when({ type: 'EnableWebhookEndpoint', ...of })
      .then(enabled);
    given(webhookEndpointList, added)
      .when({ type: 'EnableWebhookEndpoint', ...of })
      .thenNothing();
    given(webhookEndpointList, added)
      .when({ type: 'RemoveWebhookEndpoint', ...of })
      .then(removed);
    given(webhookEndpointList, added, removed)
      .when({ type: 'RemoveWebhookEndpoint', ...of })
      .thenNothing();
  });

  it('that is unknown or removed is not changed', () => {
    for (const history of [[], [added, removed]])
      for (const command of [
        { type: 'DisableWebhookEndpoint', endpointId },
        { type: 'EnableWebhookEndpoint', endpointId },
        rotate('s-2', at),
        { type: 'ChangeWebhookEndpoint', endpointId, ...settings },
      ] as const)
        given(webhookEndpointList, ...history)
          .when(command)
          .rejects('webhook-endpoint-unknown');
    given(webhookEndpointList).when({ type: 'RemoveWebhookEndpoint', endpointId }).rejects('webhook-endpoint-unknown');
  });
});

describe('the secrets of a webhook endpoint', () => {
  const secretsAfter = (...events: readonly WebhookEndpointEvent[]) =>
    fold(webhookEndpointList, webhookEndpointList.initial, [added, ...events]).get(endpointId)?.secrets;
  const [hour, day] = [plusSeconds(at, 3_600), plusSeconds(at, 86_400)];

  it('are rotated once', () => {
    given(webhookEndpointList, added).when(rotate('s-2', day)).then(rotated('s-2', day));
    given(webhookEndpointList, added, rotated('s-2', day)).when(rotate('s-2', day)).thenNothing();
  });

  it('overlap until the end that a rotation sets, and none is valid longer than an earlier rotation said', () => {
    assert.deepEqual(secretsAfter(rotated('s-2', hour), rotated('s-3', day)), [
      { secretId: 's-3', validUntil: null },
      { secretId: 's-2', validUntil: day },
      { secretId: 's-1', validUntil: hour },
    ]);
    assert.deepEqual(secretsAfter(rotated('s-2', day), rotated('s-3', at)), [
      { secretId: 's-3', validUntil: null },
      { secretId: 's-2', validUntil: at },
      { secretId: 's-1', validUntil: at },
    ]);
  });

  it('are three at most', () => {
    const all = secretsAfter(rotated('s-2', day), rotated('s-3', day), rotated('s-4', day));
    assert.deepEqual(
      all?.map(({ secretId }) => secretId),
      ['s-4', 's-3', 's-2'],
    );
  });
});

describe('a webhook endpoint whose deliveries fail', () => {
  const givenUp = (firstFailedAt: Instant, now: Instant) =>
    ({ type: 'RecordGivenUpDelivery', endpointId, firstFailedAt, at: now }) as const;
  const late = plusSeconds(at, failingSeconds);
  const early = plusSeconds(at, failingSeconds - 1);
  const failingDisabled: WebhookEndpointEvent = {
    type: 'WebhookEndpointDisabled',
    data: { endpointId, reason: 'failing' },
  };

  it('is failing since the first attempt of the first that was given up', () => {
    given(webhookEndpointList, added).when(givenUp(at, early)).then(failing);
    given(webhookEndpointList, added, failing).when(givenUp(early, early)).thenNothing();
  });

  it('is disabled after days without an accepted one', () => {
    given(webhookEndpointList, added, failing).when(givenUp(early, late)).then(failingDisabled);
    given(webhookEndpointList, added, failing, failingDisabled).when(givenUp(early, late)).thenNothing();
  });

  it('has recovered with an accepted one', () => {
    const accepted = { type: 'RecordAcceptedDelivery', endpointId } as const;
    const recovered: WebhookEndpointEvent = { type: 'WebhookEndpointRecovered', data: { endpointId } };
    given(webhookEndpointList, added, failing).when(accepted).then(recovered);
    given(webhookEndpointList, added).when(accepted).thenNothing();
    const since: WebhookEndpointEvent = { type: 'WebhookEndpointFailing', data: { endpointId, since: early } };
    given(webhookEndpointList, added, failing, recovered).when(givenUp(early, late)).then(since);
  });

  it('is disabled at once when its receiver is gone', () => {
    const gone = { type: 'RecordReceiverGone', endpointId } as const;
    given(webhookEndpointList, added)
      .when(gone)
      .then({ type: 'WebhookEndpointDisabled', data: { endpointId, reason: 'gone' } });
    given(webhookEndpointList, added, disabled).when(gone).thenNothing();
  });

  it('that was removed meanwhile is left alone', () => {
    for (const report of [givenUp(at, late), { type: 'RecordAcceptedDelivery', endpointId } as const])
      given(webhookEndpointList, added, removed).when(report).thenNothing();
  });
});
