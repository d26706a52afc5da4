/** Secrets and signatures of webhooks (Standard Webhooks 1.0.0). Secrets are derived, so that neither the log nor a database has any. */
import { createHmac } from 'node:crypto';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { TenantId } from '../../domain/kernel/ids';
import type { WebhookEndpointId, WebhookSecretId } from '../../domain/webhooks/ids';
import type { Kms, KmsFault } from '../../infra/ports/kms';

interface SecretName {
  readonly tenantId: TenantId;
  readonly endpointId: WebhookEndpointId;
  readonly secretId: WebhookSecretId;
}

/** 32 bytes. */
export const deriveWebhookKey = async (
  kms: Pick<Kms, 'derive'>,
  { tenantId, endpointId, secretId }: SecretName,
): Promise<Either<KmsFault, Buffer>> => {
  const derived = await kms.derive(JSON.stringify(['webhook-secret', tenantId, endpointId, secretId]));
  return isLeft(derived) ? derived : right(Buffer.from(derived.right, 'base64url'));
};

/** As receivers configure it. */
export const formatWebhookSecret = (key: Buffer): string => `whsec_${key.toString('base64')}`;

export interface SignedWebhook {
  readonly id: string;
  /** Of the attempt, in seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** One signature for each key: a receiver accepts any of them. */
export const webhookHeaders = ({ id, timestamp, body }: SignedWebhook, keys: readonly Buffer[]) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': keys
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' '),
});
