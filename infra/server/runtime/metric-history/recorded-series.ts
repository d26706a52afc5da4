/** The metrics of which a day is kept. Labels that become part of a series' name are names from our source, so there are few. */

import type { Merge } from '../../../ports/runtime/metric-history';
import type { Labels } from '../../../ports/runtime/metrics';

export interface RecordedSeries {
  readonly series: string;
  readonly metric: string;
  /** `rate`: of a counter, per second. `level`: of a gauge. */
  readonly kind: 'rate' | 'level';
  readonly merge: Merge;
  /** Values with other labels are left out. */
  readonly where?: (labels: Labels) => boolean;
  /** One series for each value of this label. */
  readonly by?: string;
}

const isRefusal = ({ outcome }: Labels): boolean => outcome === 'deny';
const isFault = ({ outcome }: Labels): boolean => outcome === 'failed';
const isRecorded =
  (wanted: string) =>
  ({ command, outcome }: Labels): boolean =>
    command === wanted && outcome === 'recorded';
const isPlaceSearch = ({ route }: Labels): boolean => route === '/v1/search';
const isFailedSignIn = ({ method, route = '', status = '' }: Labels): boolean =>
  method === 'POST' && route.startsWith('/sign-in') && ['401', '403', '429'].includes(status);

const rate = { kind: 'rate', merge: 'sum' } as const;
const decisionMetrics = ['gateway_ratelimit_decisions_total', 'ratelimit_decisions_total'] as const;

/** Several processes see the same view, queue, store or disk. */
const observed = { kind: 'level', merge: 'max' } as const;

export const recordedSeries: readonly RecordedSeries[] = [
  { series: 'commands', metric: 'commands_total', ...rate },
  { series: 'commands-failed', metric: 'commands_total', where: isFault, ...rate },
  ...decisionMetrics.flatMap((metric): readonly RecordedSeries[] => [
    { series: 'decisions', metric, ...rate },
    { series: 'refusals', metric, where: isRefusal, ...rate },
  ]),
  { series: 'stream-clients', metric: 'stream_clients', kind: 'level', merge: 'sum' },
  { series: 'sessions-opened', metric: 'commands_total', where: isRecorded('OpenSession'), ...rate },
  { series: 'runs-requested', metric: 'commands_total', where: isRecorded('RequestRun'), ...rate },
  { series: 'jobs-completed', metric: 'commands_total', where: isRecorded('CompleteJob'), ...rate },
  { series: 'sign-ins-failed', metric: 'http_server_request_seconds', where: isFailedSignIn, ...rate },
  { series: 'place-searches', metric: 'http_server_request_seconds', where: isPlaceSearch, ...rate },
  { series: 'document-edits', metric: 'editor_operations_total', ...rate },
  { series: 'document-sessions', metric: 'editor_sessions', kind: 'level', merge: 'sum' },
  { series: 'lag', metric: 'projection_lag_seconds', by: 'view', ...observed },
  {
    series: 'waiting',
    metric: 'work_queue_depth',
    where: ({ state }) => state === 'waiting',
    by: 'queue',
    ...observed,
  },
  { series: 'dead', metric: 'work_queue_depth', where: ({ state }) => state === 'dead', by: 'queue', ...observed },
  { series: 'store-bytes', metric: 'store_bytes', by: 'store', ...observed },
  { series: 'disk-used', metric: 'disk_used_ratio', by: 'disk', ...observed },
];
