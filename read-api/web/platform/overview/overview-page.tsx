/** The start page of operators: what is wrong, next steps, and the platform's metrics. */
import { getPlatformHealth, getPlatformOverview } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { guidePath } from '../../components/guide';
import { PageHeading } from '../../components/page-heading';
import { ProblemMessage } from '../../components/problem-message';
import { StatusBadge } from '../../components/status-badge';
import { Timestamp } from '../../components/timestamp';
import { RecentAlarms } from '../../identity/security-events/recent-alarms';
import { historyOf } from '../../kernel/metric-history';
import { now } from '../../kernel/now';
import { hasScope } from '../../kernel/permissions';
import { navigate, withQuery } from '../../kernel/router';
import { type Resource, useResource } from '../../kernel/use-resource';
import type { PageProps } from '../../shell/section';
import type { Overview, PlatformHealth } from '../api-types';
import { ActivityCards, StoreCards } from './metric-cards';
import { NextSteps, useProgress } from './next-steps';
import { type PlatformProblem, problemsOf, recentOf } from './problems';
import { ViewSummary } from './view-summary';

type Window = 'hour' | 'day';

const WindowChoice = ({ chosen }: { readonly chosen: Window }) => (
  // biome-ignore lint/a11y/useSemanticElements: two buttons of a heading are no fieldset.
  <div class="actions" role="group" aria-label="Time that charts show">
    {(['hour', 'day'] as const).map((window) => (
      <button
        key={window}
        type="button"
        class="button small"
        aria-pressed={window === chosen}
        onClick={() => navigate(withQuery('/console/overview', window === 'hour' ? {} : { window }), 'replace')}
      >
        Last {window}
      </button>
    ))}
  </div>
);

const toneNames = { bad: 'failure', warn: 'warning' } as const;

interface ProblemsProps {
  readonly problems: readonly PlatformProblem[];
  readonly at: string;
  /** False: the health of the processes is not known, so an empty list does not mean that all is well. */
  readonly isComplete: boolean;
}

const Problems = ({ problems, at, isComplete }: ProblemsProps) => {
  if (problems.length === 0 && !isComplete)
    // As high as what follows, which comes a moment later.
    return (
      <p class="notice faint" role="status">
        Not all processes, views and queues have answered yet.
      </p>
    );
  if (problems.length === 0)
    return (
      <p class="notice" role="status">
        All processes, views and queues are in order. <span class="faint">Checked</span> <Timestamp at={at} />
      </p>
    );
  return (
    <section aria-label="Problems">
      <ul class="problems">
        {problems.map(({ tone, title, detail, path, advice }) => (
          <li key={`${title} ${detail}`} class={`notice ${tone}`}>
            <StatusBadge tone={tone}>{toneNames[tone]}</StatusBadge>
            <div>
              <a href={path}>{title}</a>
              {detail !== '' && <div class="below">{detail}</div>}
              {advice !== undefined && (
                <div class="below">
                  {advice} <a href={guidePath('operations#when-something-fails')}>When something fails</a>
                </div>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
};

interface KnownProps {
  readonly health: Resource<PlatformHealth>;
  readonly overview: Resource<Overview>;
}

/** Of what has been answered: each of the two may wait for a store that the other does not need. */
const KnownProblems = ({ health, overview }: KnownProps) => {
  const known = { health: health.content, overview: overview.content };
  const at = known.overview?.at ?? known.health?.at;
  if (at === undefined) return null;
  const problems = problemsOf({ ...known, now: Math.max(now.value, Date.parse(at)) });
  const isComplete = known.health !== undefined && known.overview !== undefined;
  const hasFailed = health.problem !== undefined || overview.problem !== undefined;
  if (problems.length === 0 && !isComplete && hasFailed) return null;
  return <Problems problems={problems} at={at} isComplete={isComplete} />;
};

/** Why there are no charts at all; undefined: there are. */
const missingHistory = ({ history: { why, series } }: Overview): string | undefined => {
  if (why !== null) return `No charts: ${why}`;
  return series.length === 0 ? 'No charts yet: metrics are recorded every 15 seconds.' : undefined;
};

interface MetricsProps {
  readonly overview: Overview;
  readonly health: PlatformHealth | undefined;
  readonly window: Window;
}

const Metrics = ({ overview, health, window }: MetricsProps) => {
  const history = historyOf(overview);
  const recent = health === undefined ? new Map<string, number>() : recentOf(health);
  const around = { history, recent, time: `the last ${window}` };
  const { views, why, audience } = overview;
  const missing = missingHistory(overview);
  return (
    <>
      <section class="section">
        <h2>Activity</h2>
        {missing !== undefined && <p class="quiet">{missing}</p>}
        <ActivityCards {...around} overview={overview} />
      </section>
      {audience === 'platform' && (
        <section class="section">
          <h2>Stores</h2>
          <StoreCards {...around} />
        </section>
      )}
      <section class="section">
        <h2>Views</h2>
        {views === null ? <p class="notice warn">{why}</p> : <ViewSummary {...around} views={views} />}
      </section>
    </>
  );
};

const everyMilliseconds = 5_000;

export const OverviewPage = ({ query }: PageProps) => {
  const window: Window = query.get('window') === 'day' ? 'day' : 'hour';
  const overview = useResource(getPlatformOverview({ window }), { everyMilliseconds });
  const health = useResource(getPlatformHealth(), { everyMilliseconds });
  const progress = useProgress();
  return (
    <>
      <PageHeading title="Overview" lead="What is wrong first, then what the platform is doing.">
        <WindowChoice chosen={window} />
      </PageHeading>
      {health.problem !== undefined && health.problem.status !== 401 && (
        <ProblemMessage problem={health.problem} retry={health.reload} />
      )}
      {hasScope('security:read') && <RecentAlarms />}
      {hasScope('security:read') && overview.content?.audience === 'platform' && <RecentAlarms about="platform" />}
      <KnownProblems health={health} overview={overview} />
      <AsyncContent source={overview}>
        {(content) =>
          progress !== undefined && (
            <>
              <NextSteps {...progress} />
              <Metrics overview={content} health={health.content} window={window} />
            </>
          )
        }
      </AsyncContent>
    </>
  );
};
