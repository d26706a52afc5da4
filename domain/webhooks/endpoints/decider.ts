/** Administrators add, change and remove endpoints; deliveries that fail for days disable their endpoint. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import type { WebhookEndpointId, WebhookSecretId } from '../ids';
import { failingSeconds, maxEndpoints } from '../limits';
import { checkWebhookUrl } from '../webhook-url';
import type { WebhookEndpointEvent, WebhookSettings } from './events';
import { type WebhookEndpoint, type WebhookEndpointsState, webhookEndpointRules } from './state';

interface OfEndpoint {
  readonly endpointId: WebhookEndpointId;
}

export type WebhookEndpointCommand =
  | ({ readonly type: 'AddWebhookEndpoint'; readonly secretId: WebhookSecretId } & OfEndpoint & WebhookSettings)
  | ({ readonly type: 'ChangeWebhookEndpoint' } & OfEndpoint & WebhookSettings)
  | ({
      readonly type: 'RotateWebhookSecret';
      readonly secretId: WebhookSecretId;
      readonly earlierUntil: Instant;
    } & OfEndpoint)
  | ({ readonly type: 'DisableWebhookEndpoint' } & OfEndpoint)
  | ({ readonly type: 'EnableWebhookEndpoint' } & OfEndpoint)
  | ({ readonly type: 'RemoveWebhookEndpoint' } & OfEndpoint)
  /** The last attempt of a delivery failed. */
  | ({ readonly type: 'RecordGivenUpDelivery'; readonly firstFailedAt: Instant; readonly at: Instant } & OfEndpoint)
  | ({ readonly type: 'RecordAcceptedDelivery' } & OfEndpoint)
  | ({ readonly type: 'RecordReceiverGone' } & OfEndpoint);

export type WebhookEndpointRejection =
  | 'webhook-endpoint-unknown'
  | 'webhook-url-refused'
  | 'webhook-event-types-repeated'
  | 'too-many-webhook-endpoints';

type Decision = Either<Rejection<WebhookEndpointRejection>, readonly WebhookEndpointEvent[]>;

const checkSettings = ({
  url,
  eventTypes,
}: WebhookSettings): ReturnType<typeof reject<WebhookEndpointRejection>> | undefined => {
  const fault = checkWebhookUrl(url);
  if (fault !== undefined) return reject('webhook-url-refused', `The address ${fault}.`);
  if (new Set(eventTypes).size !== eventTypes.length)
    return reject('webhook-event-types-repeated', 'An event type is named twice.');
  return undefined;
};

const sameSettings = (one: WebhookSettings, other: WebhookSettings): boolean =>
  one.url === other.url &&
  one.description === other.description &&
  one.eventTypes.length === other.eventTypes.length &&
  one.eventTypes.every((type) => other.eventTypes.includes(type));

const add = (
  { type: _, ...data }: Extract<WebhookEndpointCommand, { type: 'AddWebhookEndpoint' }>,
  state: WebhookEndpointsState,
): Decision => {
  if (state.has(data.endpointId)) return right([]);
  const refused = checkSettings(data);
  if (refused !== undefined) return refused;
  if ([...state.values()].filter((endpoint) => endpoint !== null).length >= maxEndpoints)
    return reject('too-many-webhook-endpoints', `At most ${maxEndpoints} endpoints are possible; remove some.`);
  return right([{ type: 'WebhookEndpointAdded', data }]);
};

const recordGivenUp = (
  { endpointId, firstFailedAt, at }: Extract<WebhookEndpointCommand, { type: 'RecordGivenUpDelivery' }>,
  { disabled, failingSince }: WebhookEndpoint,
): Decision => {
  if (disabled !== null) return right([]);
  const since = failingSince ?? firstFailedAt;
  const failing: readonly WebhookEndpointEvent[] =
    failingSince === null ? [{ type: 'WebhookEndpointFailing', data: { endpointId, since } }] : [];
  if (Date.parse(at) - Date.parse(since) < failingSeconds * 1_000) return right(failing);
  return right([...failing, { type: 'WebhookEndpointDisabled', data: { endpointId, reason: 'failing' } }]);
};

const change = (
  command: Exclude<WebhookEndpointCommand, { type: 'AddWebhookEndpoint' }>,
  endpoint: WebhookEndpoint,
): Decision => {
  const { endpointId } = command;
  switch (command.type) {
    case 'ChangeWebhookEndpoint': {
      const { url, eventTypes, description } = command;
      const refused = checkSettings(command);
      if (refused !== undefined) return refused;
      if (sameSettings(endpoint, command)) return right([]);
      return right([{ type: 'WebhookEndpointChanged', data: { endpointId, url, eventTypes, description } }]);
    }
    case 'RotateWebhookSecret': {
      const { secretId, earlierUntil } = command;
      if (endpoint.secrets[0]?.secretId === secretId) return right([]);
      return right([{ type: 'WebhookSecretRotated', data: { endpointId, secretId, earlierUntil } }]);
    }
    case 'DisableWebhookEndpoint':
      if (endpoint.disabled !== null) return right([]);
      return right([{ type: 'WebhookEndpointDisabled', data: { endpointId, reason: 'by-administrator' } }]);
    case 'EnableWebhookEndpoint':
      return right(endpoint.disabled === null ? [] : [{ type: 'WebhookEndpointEnabled', data: { endpointId } }]);
    case 'RemoveWebhookEndpoint':
      return right([{ type: 'WebhookEndpointRemoved', data: { endpointId } }]);
    case 'RecordGivenUpDelivery':
      return recordGivenUp(command, endpoint);
    case 'RecordAcceptedDelivery':
      return right(endpoint.failingSince === null ? [] : [{ type: 'WebhookEndpointRecovered', data: { endpointId } }]);
    case 'RecordReceiverGone':
      if (endpoint.disabled !== null) return right([]);
      return right([{ type: 'WebhookEndpointDisabled', data: { endpointId, reason: 'gone' } }]);
  }
};

/** What deliveries report may come after the endpoint was removed. */
const isReport = ({ type }: WebhookEndpointCommand): boolean =>
  type === 'RecordGivenUpDelivery' || type === 'RecordAcceptedDelivery' || type === 'RecordReceiverGone';

const decide = (command: WebhookEndpointCommand, state: WebhookEndpointsState): Decision => {
  if (command.type === 'AddWebhookEndpoint') return add(command, state);
  const endpoint = state.get(command.endpointId);
  if (endpoint !== undefined && endpoint !== null) return change(command, endpoint);
  if (isReport(command) || (endpoint === null && command.type === 'RemoveWebhookEndpoint')) return right([]);
  return reject('webhook-endpoint-unknown', 'There is no such webhook endpoint.');
};

export const webhookEndpointList: Decider<
  WebhookEndpointCommand,
  WebhookEndpointsState,
  WebhookEndpointEvent,
  WebhookEndpointRejection
> = { ...webhookEndpointRules, decide };
