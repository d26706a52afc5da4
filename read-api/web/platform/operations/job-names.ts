/** What jobs of a work queue do, as people call it. */
import type { JobRow } from '../api-types';

const names: Readonly<Record<string, string>> = {
  'geo-imports': 'Import of places',
  'identity-logout-notifications': 'Sign-out notice',
  'webhook-publications': 'Publication to webhooks',
  'webhook-attempts': 'Attempt of a webhook',
};

/** Of a queue that the console does not know: the queue's own name. */
export const nameOfJob = ({ queue, jobId }: Pick<JobRow, 'queue' | 'jobId'>): string =>
  `${Object.hasOwn(names, queue) ? names[queue] : queue} ${jobId}`;
