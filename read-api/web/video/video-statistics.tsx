/** What was watched of a video, for its owner: by the last days, and how far viewers got. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { getVideoStatistics } from '../../../packages/client/src/operations';
import type { VideoStatistics as StatisticsAnswer } from '../../../packages/client/src/schemas';
import { AsyncContent } from '../components/async-content';
import { EmptyState } from '../components/empty-state';
import { type DescriptionEntry, DescriptionList } from '../identity/shared/display';
import { countOf, elapsedOf, numberOf } from '../kernel/format';
import { useResource } from '../kernel/use-resource';

const everyMilliseconds = 60_000;

const hourSeconds = 3_600;

/** Of minutes, a rate would be a guess. */
const stallsOf = (
  { bufferingEvents, watchedSeconds }: StatisticsAnswer['sums'],
  bufferingEventsPerHour: number,
): string =>
  watchedSeconds < hourSeconds
    ? numberOf(bufferingEvents)
    : `${numberOf(Math.round(bufferingEventsPerHour * 10) / 10)} in an hour of watching`;

/** The shares of fewer are those of single viewers. */
const fewestPlaybacks = 5;

const factsOf = ({ sums, bufferingEventsPerHour, suspicious }: StatisticsAnswer): readonly DescriptionEntry[] => [
  ['Views', numberOf(sums.viewers)],
  ['Plays', numberOf(sums.plays)],
  ['Opened', countOf(sums.playbacks, 'time')],
  ['Watched', elapsedOf(sums.watchedSeconds * 1_000)],
  ['Stalls', stallsOf(sums, bufferingEventsPerHour)],
  ['Seeks', numberOf(sums.seeks)],
  ...(suspicious.plays === 0
    ? []
    : [
        ['Not counted', `${numberOf(suspicious.plays)} plays claimed more than is possible`] satisfies DescriptionEntry,
      ]),
];

interface PartProps {
  /** From 0. */
  readonly tenth: number;
  readonly share: number;
}

const Part = ({ tenth, share }: PartProps) => {
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (bar.current !== null) bar.current.style.height = `${100 * share}%`;
  }, [share]);
  return (
    <li>
      <div class="retention-bar">
        <div ref={bar} />
      </div>
      <span class="hidden-text">
        {10 * tenth} to {10 * (tenth + 1)} %:{' '}
      </span>
      {Math.round(100 * share)}
    </li>
  );
};

export const VideoStatistics = ({ videoId }: { readonly videoId: string }) => {
  const statistics = useResource(getVideoStatistics({ videoId }), { everyMilliseconds });
  return (
    <section class="section" aria-label="Statistics">
      <h2>Views</h2>
      <AsyncContent source={statistics} rows={3}>
        {(found) =>
          found.sums.playbacks === 0 ? (
            <EmptyState title="Not watched yet">Views are counted within a minute of being watched.</EmptyState>
          ) : (
            <>
              <DescriptionList facts={factsOf(found)} />
              <p class="help">
                Once half a minute is watched, or half of a shorter film, it is a play. A view is a viewer’s first play
                in 24 hours.
              </p>
              {found.sums.playbacks < fewestPlaybacks ? (
                <p class="help">How far viewers get is shown once it was opened {fewestPlaybacks} times.</p>
              ) : (
                <>
                  <h3 class="retention-title">Share of playbacks that watched each tenth of it, in per cent</h3>
                  <ol class="retention">
                    {found.retention.map((share, tenth) => (
                      <Part key={tenth} tenth={tenth} share={share} />
                    ))}
                  </ol>
                </>
              )}
            </>
          )
        }
      </AsyncContent>
    </section>
  );
};
