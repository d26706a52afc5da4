/** Counts of quotas that outlive the counters, where there is a log to record them in. */

import { type OpenCounts, openQuotaCounts } from '../../../packages/ratelimit/src/index';
import type { CallerSigner } from '../../http/caller-signer';
import type { Log } from '../../ports/log';
import type { Metrics } from '../../ports/metrics';
import { openUsageLedger } from './usage-ledger';

export interface UsageOptions {
  /** Of one copy, or of several with commas between. */
  readonly commandsUrl: string;
  readonly readApiUrl: string;
  readonly signer: CallerSigner;
  readonly metrics: Metrics;
  readonly log: Log;
}

const firstOf = (urls: string): string => urls.split(',')[0] ?? urls;

export const openUsage = ({ commandsUrl, readApiUrl, signer, metrics, log }: UsageOptions): OpenCounts => {
  const lost = metrics.counter({
    name: 'ratelimit_usage_lost_total',
    help: 'Used of quotas, and not recorded: refused, or too much of it while the log was away.',
    labels: ['reason'],
  });
  return openQuotaCounts({
    ledger: openUsageLedger({
      commandsUrl: firstOf(commandsUrl),
      readApiUrl: firstOf(readApiUrl),
      signer,
    }),
    onLost: (reason, amount) => {
      lost({ reason }, Math.abs(amount));
      log.error({ reason, amount }, 'what was used of a quota could not be recorded');
    },
  });
};
