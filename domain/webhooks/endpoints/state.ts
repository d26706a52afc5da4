/** State of a tenant's webhook endpoints. */
import type { Instant } from '../../kernel/codec';
import type { WebhookEndpointId, WebhookSecretId } from '../ids';
import { maxSecrets } from '../limits';
import {
  type EndpointDisabledReason,
  type WebhookEndpointEvent,
  type WebhookSettings,
  webhookEndpoints,
} from './events';

export interface WebhookSecret {
  readonly secretId: WebhookSecretId;
  /** Null: until it is rotated. */
  readonly validUntil: Instant | null;
}

export interface WebhookEndpoint extends WebhookSettings {
  /** The newest first. */
  readonly secrets: readonly WebhookSecret[];
  readonly disabled: EndpointDisabledReason | null;
  readonly failingSince: Instant | null;
}

/** Null: it was removed. */
export type WebhookEndpointsState = ReadonlyMap<WebhookEndpointId, WebhookEndpoint | null>;

/** With those whose time is over. */
const withEnd = (secrets: readonly WebhookSecret[], end: Instant): readonly WebhookSecret[] =>
  secrets.map(({ secretId, validUntil }) => ({
    secretId,
    validUntil: validUntil !== null && validUntil < end ? validUntil : end,
  }));

const changed = (endpoint: WebhookEndpoint, { type, data }: WebhookEndpointEvent): WebhookEndpoint | null => {
  switch (type) {
    case 'WebhookEndpointAdded':
      return endpoint;
    case 'WebhookEndpointChanged': {
      const { url, eventTypes, description } = data;
      return { ...endpoint, url, eventTypes, description };
    }
    case 'WebhookSecretRotated': {
      const newest = { secretId: data.secretId, validUntil: null };
      return { ...endpoint, secrets: [newest, ...withEnd(endpoint.secrets, data.earlierUntil)].slice(0, maxSecrets) };
    }
    case 'WebhookEndpointFailing':
      return { ...endpoint, failingSince: data.since };
    case 'WebhookEndpointRecovered':
      return { ...endpoint, failingSince: null };
    case 'WebhookEndpointDisabled':
      return { ...endpoint, disabled: data.reason };
    case 'WebhookEndpointEnabled':
      return { ...endpoint, disabled: null, failingSince: null };
    case 'WebhookEndpointRemoved':
      return null;
  }
};

const evolve = (state: WebhookEndpointsState, event: WebhookEndpointEvent): WebhookEndpointsState => {
  const { endpointId } = event.data;
  if (event.type === 'WebhookEndpointAdded') {
    const { url, eventTypes, description, secretId } = event.data;
    const secrets = [{ secretId, validUntil: null }];
    return new Map(state).set(endpointId, {
      url,
      eventTypes,
      description,
      secrets,
      disabled: null,
      failingSince: null,
    });
  }
  const endpoint = state.get(endpointId);
  return endpoint === undefined || endpoint === null ? state : new Map(state).set(endpointId, changed(endpoint, event));
};

const noEndpoints: WebhookEndpointsState = new Map();

export const webhookEndpointRules = { family: webhookEndpoints, initial: noEndpoints, evolve };
