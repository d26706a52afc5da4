/** The queue of logout notifications, for workers. */
import { logoutNotificationQueue } from '../../../domain/identity/notify-on-client-signed-out/process';
import { queueSpec, type WorkerAdapters } from '../../kernel/work-queue/job-handler';
import { createSigningKeyCache } from '../signing-keys/signing-key-cache';
import { openTokenSigner } from '../signing-keys/token-signer';
import { performLogoutNotification } from './notify-client';

const notificationDeps = ({ asIssuer, store, clock, random, log, commandMetrics }: WorkerAdapters) => {
  if (asIssuer === undefined) throw new Error('the queue declares that it calls as the issuer');
  const { issuer, kms, postForm } = asIssuer;
  const core = { store, clock, random, log, commandMetrics };
  // A session has ended, so tokens were signed: no key is made here.
  const signer = openTokenSigner({ ...core, kms, keys: createSigningKeyCache(store), algorithm: 'ES256' });
  return { ...core, issuer, signer, postForm, audiences: [] };
};

/** A slow receiver of one tenant holds back few others. */
export const logoutNotifications = queueSpec(logoutNotificationQueue, {
  concurrency: 8,
  perTenant: 4,
  callsAsIssuer: true,
  targets: {},
  open: (adapters) => ({ perform: performLogoutNotification(notificationDeps(adapters)) }),
});
