/** GET /v1/platform/overview: how the platform is doing, in one answer. Reads status tables and recorded metrics, and counts no rows. */
import { type Either, isLeft, left } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Instant, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { type Fault, fault } from '../../../domain/kernel/rejection';
import type { MetricHistoryReader } from '../../../infra/ports/runtime/metric-history';
import type { ViewStatusReader } from '../../../infra/ports/views/view-status';
import { route } from '../../../infra/server/http/routing/route';
import { awayDetail } from '../../../infra/server/runtime/store-off';
import { withinMilliseconds } from '../../../infra/server/runtime/within-milliseconds';
import { audienceOf, everyTenant } from '../explorer';
import type { Operations } from '../operations/operations';
import { PlatformProcess, processFor } from '../operations/processes';
import { PlatformQueue } from '../operations/queues';
import { PlatformView, viewFor } from '../operations/views';
import { scopes } from '../schemas';
import { historyFor, MetricHistory } from './metric-series';

export interface Overview extends Operations {
  readonly ledger: ViewStatusReader;
  readonly history: MetricHistoryReader;
}

const PlatformOverview = record('PlatformOverview', {
  at: Instant,
  /** `platform`: of all tenants, for operators. `tenant`: what concerns the caller's own; without metrics. */
  audience: oneOf('OverviewAudience', ['platform', 'tenant']),
  /** Null where Postgres does not answer; `why` has the reason. */
  views: nullable(t.readonlyArray(PlatformView)),
  processes: nullable(t.readonlyArray(PlatformProcess)),
  queues: nullable(t.readonlyArray(PlatformQueue)),
  why: nullable(text('OverviewWhy', { maxLength: 4_000 })),
  history: MetricHistory,
});

const Query = record('PlatformOverviewQuery', {}, { window: oneOf('HistoryWindow', ['hour', 'day']) });

const rightOrNull = <A>(found: Either<Fault<string>, A>): A | null => (isLeft(found) ? null : found.right);

/** Parts that take longer are answered as not known, with the rest of the page. */
const maxMilliseconds = 2_000;

const inTime = async <A, Code extends string>(
  request: Promise<Either<Fault<Code>, A>>,
): Promise<Either<Fault<Code | 'view-store-unavailable'>, A>> =>
  (await withinMilliseconds(request, maxMilliseconds)) ?? left(fault('view-store-unavailable', awayDetail('POSTGRES')));

const notForTenants = left(fault('service-unavailable', 'Metrics of the platform are for its operators.'));

export const getOverview = route<Overview>()({
  method: 'get',
  path: '/v1/platform/overview',
  operation: 'getPlatformOverview',
  summary: 'Get the state of views, processes and queues, and metrics of the last hour or day',
  description:
    'Always answers: what is not known for now is null, with the reason. Series are rates per second or levels; their names are in the operations guide.',
  access: { scopes },
  query: Query,
  answers: { 200: { description: 'As it is now.', body: PlatformOverview } },
  handle: async ({ ledger, processes, history, clock, operators }, { identity, query: { window = 'hour' } }) => {
    const audience = audienceOf({ operators }, identity);
    const isOperator = audience === everyTenant;
    const at = clock.now();
    const now = Date.parse(at);
    const [views, running, queues, recorded] = await Promise.all([
      inTime(ledger.views()),
      inTime(processes.processes(audience)),
      inTime(processes.queues(audience)),
      isOperator ? history.read(window, now) : notForTenants,
    ]);
    const missing = [views, running, queues].find(isLeft);
    const body = {
      at,
      audience: isOperator ? ('platform' as const) : ('tenant' as const),
      views: rightOrNull(views)?.map(viewFor(audience)) ?? null,
      processes: rightOrNull(running)?.map(processFor(audience, now)) ?? null,
      queues: rightOrNull(queues),
      why: missing?.left.detail ?? null,
      history: historyFor(recorded, at),
    };
    return { status: 200, body };
  },
});
