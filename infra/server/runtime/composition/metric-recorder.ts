/** Records the metrics of a service: in Redis, where it has one. */

import { openRedisMetricHistory } from '../../../adapters/redis/metric-history';
import type { MetricHistoryWriter } from '../../../ports/runtime/metric-history';
import { recordMetrics } from '../metric-history/record-metrics';

export interface MetricRecorder {
  readonly close: () => Promise<void>;
}

type RecordedService = Omit<Parameters<typeof recordMetrics>[0], 'history'>;

export const startMetricRecorder = (url: string | undefined, service: RecordedService): MetricRecorder => {
  const history: MetricHistoryWriter | undefined = url === undefined ? undefined : openRedisMetricHistory(url);
  const recording = recordMetrics({ ...service, history });
  return {
    close: async () => {
      await recording;
      await history?.close();
    },
  };
};
