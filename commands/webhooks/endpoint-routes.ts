/** Administrators add, change and remove webhook endpoints, and rotate their secrets. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { integer, record, text } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import { plusSeconds } from '../../domain/kernel/instant';
import { webhookEndpointList } from '../../domain/webhooks/endpoints/decider';
import { WebhookSettings, webhookEndpointsStream } from '../../domain/webhooks/endpoints/events';
import { WebhookEndpointId, type WebhookSecretId } from '../../domain/webhooks/ids';
import { checkWebhookUrl } from '../../domain/webhooks/webhook-url';
import type { Kms } from '../../infra/ports/kms';
import { invalidInput, type Problem, problemOf } from '../../infra/server/http/problem';
import { commandRoute } from '../kernel/command-route';
import type { CommandDeps } from '../kernel/command-spec';
import { endpointProblems } from './problems';
import { deriveWebhookKey, formatWebhookSecret } from './signature';

export interface WebhookDeps extends CommandDeps {
  readonly kms: Pick<Kms, 'derive'>;
  /** Of the URL alone: the installation's own network may be closed to webhooks. */
  readonly isAllowedUrl: (url: URL) => boolean;
}

const defaults = {
  decider: webhookEndpointList,
  problems: endpointProblems,
  scopes: ['webhooks:write'],
  sensitive: true,
};

export const EndpointPath = record('WebhookEndpointPath', { endpointId: WebhookEndpointId });
const endpointAnswer = record('WebhookEndpointAnswer', { endpointId: WebhookEndpointId });

const SecretAnswer = record('WebhookSecretAnswer', {
  endpointId: WebhookEndpointId,
  /** Only this answer has it. */
  secret: text('WebhookSecret', {
    maxLength: 64,
    pattern: 'whsec_[A-Za-z0-9+/]{43}=',
    examples: ['whsec_wjxxZyIhbU2cGQe+3kXbYb4mSRFvC1aF0nXcTnJg1Bc='],
  }),
});

const checkUrl = ({ isAllowedUrl }: WebhookDeps, url: string): Either<Problem, undefined> => {
  const refuse = (expected: string) => left(invalidInput([{ pointer: '/body/url', expected }]));
  if (checkWebhookUrl(url) !== undefined)
    return refuse('an address that begins with https://, without a user and without a fragment');
  if (isAllowedUrl(new URL(url))) return right(undefined);
  return refuse('a public address that begins with https:// (others are reached with PRIVATE_ADDRESSES=allow only)');
};

interface NewSecret {
  readonly tenantId: TenantId;
  readonly endpointId: WebhookEndpointId;
  readonly secretId: WebhookSecretId;
}

const secretOf = async ({ kms }: WebhookDeps, name: NewSecret): Promise<Either<Problem, string>> => {
  const key = await deriveWebhookKey(kms, name);
  return isLeft(key) ? left(problemOf(key.left, {})) : right(formatWebhookSecret(key.right));
};

export const addWebhookEndpoint = commandRoute<WebhookDeps>()({
  ...defaults,
  method: 'post',
  path: '/v1/webhooks/endpoints',
  operation: 'addWebhookEndpoint',
  summary: 'Add a webhook endpoint',
  description:
    'Events of the chosen types are posted there, signed with the secret that only this answer has. A retry under the same Idempotency-Key returns the same one.',
  created: true,
  body: WebhookSettings,
  answer: SecretAnswer,
  prepare: async ({ body, tenantId, derivedId }, deps) => {
    const allowed = checkUrl(deps, body.url);
    if (isLeft(allowed)) return allowed;
    const endpointId = derivedId('webhook-endpoint') as WebhookEndpointId;
    const secretId = derivedId('webhook-secret') as WebhookSecretId;
    const secret = await secretOf(deps, { tenantId, endpointId, secretId });
    if (isLeft(secret)) return secret;
    return right({
      stream: webhookEndpointsStream(tenantId),
      command: { type: 'AddWebhookEndpoint' as const, endpointId, secretId, ...body },
      answer: { endpointId, secret: secret.right },
      location: `/v1/webhooks/endpoints/${endpointId}`,
    });
  },
});

export const changeWebhookEndpoint = commandRoute<WebhookDeps>()({
  ...defaults,
  method: 'put',
  path: '/v1/webhooks/endpoints/:endpointId',
  operation: 'changeWebhookEndpoint',
  summary: 'Change the address, event types and description of a webhook endpoint',
  description: 'Its secrets stay. Attempts that follow, also of earlier events, go to the new address.',
  params: EndpointPath,
  body: WebhookSettings,
  answer: endpointAnswer,
  prepare: ({ params: { endpointId }, body, tenantId }, deps) => {
    const allowed = checkUrl(deps, body.url);
    if (isLeft(allowed)) return allowed;
    return right({
      stream: webhookEndpointsStream(tenantId),
      command: { type: 'ChangeWebhookEndpoint' as const, endpointId, ...body },
      answer: { endpointId },
    });
  },
});

const week = 7 * 24 * 3_600;
const day = 24 * 3_600;

export const rotateWebhookSecret = commandRoute<WebhookDeps>()({
  ...defaults,
  method: 'post',
  path: '/v1/webhooks/endpoints/:endpointId/secret',
  operation: 'rotateWebhookSecret',
  summary: 'Rotate the secret of a webhook endpoint',
  description:
    'Webhooks are signed with the earlier secret, too, for `overlapSeconds`: a day when left out, 0 where it leaked. Receivers accept any of the signatures.',
  params: EndpointPath,
  body: record('WebhookSecretRotation', {}, { overlapSeconds: integer(0, week) }),
  answer: SecretAnswer,
  prepare: async ({ params: { endpointId }, body: { overlapSeconds = day }, tenantId, derivedId, at }, deps) => {
    const secretId = derivedId('webhook-secret') as WebhookSecretId;
    const secret = await secretOf(deps, { tenantId, endpointId, secretId });
    if (isLeft(secret)) return secret;
    const earlierUntil = plusSeconds(at, overlapSeconds);
    return right({
      stream: webhookEndpointsStream(tenantId),
      command: { type: 'RotateWebhookSecret' as const, endpointId, secretId, earlierUntil },
      answer: { endpointId, secret: secret.right },
    });
  },
});

export const disableWebhookEndpoint = commandRoute<WebhookDeps>()({
  ...defaults,
  method: 'post',
  path: '/v1/webhooks/endpoints/:endpointId/disable',
  operation: 'disableWebhookEndpoint',
  summary: 'Disable a webhook endpoint',
  description: 'It gets no more events, and deliveries that wait for their next attempt are canceled.',
  params: EndpointPath,
  answer: endpointAnswer,
  prepare: ({ params: { endpointId }, tenantId }) =>
    right({
      stream: webhookEndpointsStream(tenantId),
      command: { type: 'DisableWebhookEndpoint' as const, endpointId },
      answer: { endpointId },
    }),
});

export const enableWebhookEndpoint = commandRoute<WebhookDeps>()({
  ...defaults,
  method: 'post',
  path: '/v1/webhooks/endpoints/:endpointId/enable',
  operation: 'enableWebhookEndpoint',
  summary: 'Enable a webhook endpoint',
  description: 'It gets events from now on. Those of the time between are not sent; ended deliveries can be repeated.',
  params: EndpointPath,
  answer: endpointAnswer,
  prepare: ({ params: { endpointId }, tenantId }) =>
    right({
      stream: webhookEndpointsStream(tenantId),
      command: { type: 'EnableWebhookEndpoint' as const, endpointId },
      answer: { endpointId },
    }),
});

export const removeWebhookEndpoint = commandRoute<WebhookDeps>()({
  ...defaults,
  method: 'delete',
  path: '/v1/webhooks/endpoints/:endpointId',
  operation: 'removeWebhookEndpoint',
  summary: 'Remove a webhook endpoint',
  description: 'Its secrets no longer sign. Deliveries that wait for an attempt are canceled.',
  params: EndpointPath,
  answer: endpointAnswer,
  prepare: ({ params: { endpointId }, tenantId }) =>
    right({
      stream: webhookEndpointsStream(tenantId),
      command: { type: 'RemoveWebhookEndpoint' as const, endpointId },
      answer: { endpointId },
    }),
});
