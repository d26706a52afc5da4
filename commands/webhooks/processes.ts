/** Processes of webhooks, and what they have workers do. */
import { attemptQueue } from '../../domain/webhooks/attempt-on-delivery/process';
import { webhookDelivery } from '../../domain/webhooks/delivery/decider';
import { webhookEndpointList } from '../../domain/webhooks/endpoints/decider';
import { processes } from '../../domain/webhooks/processes';
import { publicationQueue } from '../../domain/webhooks/publish-on-video/process';
import type { ProcessContext } from '../kernel/context';
import { bindProcesses, commandTarget } from '../kernel/processes/process-binding';
import { queueSpec } from '../kernel/work-queue/job-handler';
import { attemptDelivery } from './attempt-delivery';
import { publishMessage } from './publish-message';

const publications = queueSpec(publicationQueue, {
  concurrency: 4,
  targets: { 'webhooks.delivery': commandTarget(webhookDelivery) },
  open: (adapters) => ({ perform: publishMessage(adapters) }),
});

/** A slow receiver of one tenant holds back few others. */
const attempts = queueSpec(attemptQueue, {
  concurrency: 16,
  perTenant: 8,
  callsAsIssuer: true,
  targets: {
    'webhooks.delivery': commandTarget(webhookDelivery),
    'webhooks.endpoints': commandTarget(webhookEndpointList),
  },
  open: ({ asIssuer, store, clock }) => {
    if (asIssuer === undefined) throw new Error('the queue declares that it calls as the issuer');
    return { perform: attemptDelivery({ store, clock, kms: asIssuer.kms, postWebhook: asIssuer.postWebhook }) };
  },
});

export const context: ProcessContext<typeof processes> = {
  processes: bindProcesses(processes, { publishOnAlert: {}, publishOnVideo: {}, attemptOnDelivery: {} }),
  queues: [publications, attempts],
};
