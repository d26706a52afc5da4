/** The rate limiter's own page: what was refused, over time and by rule, and the latest refusals. */
import { listRateLimitRefusals } from '../../../packages/client/src/operations';
import type { RateLimitRefusals } from '../../../packages/client/src/schemas';
import { AsyncContent } from '../components/async-content';
import { Chart } from '../components/chart';
import { EmptyState } from '../components/empty-state';
import { guidePath } from '../components/guide';
import { LiveCharts, type LiveMetric } from '../components/live-charts';
import { PageHeading } from '../components/page-heading';
import { Table } from '../components/table';
import { countOf, numberOf, rateOf } from '../kernel/format';
import { renderTime } from '../kernel/now';
import { useResource } from '../kernel/use-resource';
import { policiesPath, refusalsPath, rulePath, strangersPath } from './paths';
import { RateLimitTabs } from './rate-limit-tabs';
import { refusalsByMinute, refusalsByRule } from './refusal-words';
import { refusalColumns } from './refusals-page';

const maxRefusals = 100;
const maxListed = 5;
const maxRules = 5;

const metrics: readonly LiveMetric[] = [
  { title: 'Refusals', series: [{ label: 'refused', tone: 'bad', series: 'refusals' }], format: rateOf },
  { title: 'Decisions', series: [{ label: 'all', tone: 'accent', series: 'decisions' }], format: rateOf },
];

/** Parts of a refusal have no label beside the chart. */
const wholeNumberOf = (value: number): string => (Number.isInteger(value) ? numberOf(value) : '');

interface RefusedProps {
  readonly items: readonly RateLimitRefusals[];
  /** There are no others in the last day. */
  readonly isWhole: boolean;
}

const Refused = ({ items, isWhole }: RefusedProps) => {
  if (items.length === 0)
    return (
      <EmptyState title="No caller of this tenant was refused in the last day">
        <a href={policiesPath}>The rules</a> name what each caller may do, and the guide{' '}
        <a href={guidePath('limits')}>Raise a limit</a> how to change them. Operators find callers without a token under{' '}
        <a href={strangersPath}>Not signed in</a>.
      </EmptyState>
    );
  const overTime = refusalsByMinute(items, { now: renderTime(), isWhole });
  const lastHour = overTime.values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return (
    <>
      <section class="section">
        <div class="section-head">
          <h2>Refused in the last hour</h2>
          <span class="faint">{isWhole ? '' : `The latest ${countOf(items.length, 'entry', 'entries')}`}</span>
        </div>
        {lastHour === 0 ? (
          <p class="quiet">Nothing was refused in the last hour.</p>
        ) : (
          <div class="metric">
            <Chart
              label="Refusals by the minute"
              series={[{ label: 'refused in a minute', tone: 'bad', values: overTime.values }]}
              from={overTime.from}
              stepSeconds={overTime.stepSeconds}
              format={wholeNumberOf}
              height={180}
              hasAxes
            />
          </div>
        )}
      </section>
      <section class="section">
        <h2>By rule</h2>
        <Table
          label="Refusals by rule"
          rows={refusalsByRule(items).slice(0, maxRules)}
          columns={[
            {
              title: 'Rule',
              show: ([rule]) => (
                <a class="mono" href={rulePath(rule)}>
                  {rule}
                </a>
              ),
            },
            { title: isWhole ? 'Refused in a day' : 'Refused', kind: 'number', show: ([, count]) => numberOf(count) },
          ]}
          keyOf={([rule]) => rule}
        />
      </section>
      <section class="section">
        <div class="section-head">
          <h2>Latest refusals</h2>
          <a href={refusalsPath}>All refusals</a>
        </div>
        <Table
          label="Latest refusals"
          rows={items.slice(0, maxListed)}
          columns={refusalColumns}
          keyOf={({ id }) => id}
        />
      </section>
    </>
  );
};

const everyMilliseconds = 5_000;

export const RateLimitOverviewPage = () => {
  const refusals = useResource(listRateLimitRefusals({ limit: maxRefusals }), { everyMilliseconds });
  return (
    <>
      <PageHeading title="Rate limits" lead="Which requests were refused, and by which rules." />
      <RateLimitTabs current="Overview" />
      <AsyncContent source={refusals}>
        {({ items, next }) => <Refused items={items} isWhole={next === undefined} />}
      </AsyncContent>
      <LiveCharts metrics={metrics} />
    </>
  );
};
