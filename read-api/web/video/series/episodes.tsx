/** Episodes of a series, moved up and down, removed, and added from the owner’s videos. */
import { useState } from 'preact/hooks';
import { changeVideoSeriesEpisodes, listVideos } from '../../../../packages/client/src/operations';
import type { VideoSeries } from '../../../../packages/client/src/schemas';
import { EmptyState } from '../../components/empty-state';
import { ChoiceField } from '../../components/form-fields';
import { ProblemMessage } from '../../components/problem-message';
import { type Column, Table } from '../../components/table';
import { RowButton } from '../../identity/shared/action-dialog';
import { hasScope } from '../../kernel/permissions';
import type { Problem } from '../../kernel/problem';
import { useCommand } from '../../kernel/use-command';
import { useResource } from '../../kernel/use-resource';
import { shortId } from '../../references/short-id';
import { videoPath } from '../paths';

const everyMilliseconds = 10_000;

/** The episode and the one that is `by` further on change places. */
const moved = (videoIds: readonly string[], at: number, by: 1 | -1): readonly string[] => {
  const [one, other] = [videoIds[at], videoIds[at + by]];
  if (one === undefined || other === undefined) return videoIds;
  return videoIds.with(at, other).with(at + by, one);
};

interface Episode {
  readonly videoId: string;
  readonly at: number;
  readonly title: string;
}

interface Props {
  readonly series: VideoSeries;
  readonly onDone: () => void;
}

export const Episodes = ({ series: { seriesId, ownerId, videoIds: recorded }, onDone }: Props) => {
  const owned = useResource(listVideos({ ownerId, sort: 'title', limit: 200 }), { everyMilliseconds });
  const [added, setAdded] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const send = useCommand();
  const mayChange = hasScope('videos:write');
  const titles = new Map((owned.content?.items ?? []).map(({ videoId, title }) => [videoId as string, title]));
  const titleOf = (videoId: string): string => titles.get(videoId) ?? `Video ${shortId(videoId)}`;
  const videoIds: readonly string[] = recorded;
  const episodes = videoIds.map((videoId, at): Episode => ({ videoId, at, title: titleOf(videoId) }));
  const change = async (wanted: readonly string[]): Promise<void> => {
    const answer = await send(changeVideoSeriesEpisodes({ seriesId, body: { videoIds: [...wanted] } }));
    setProblem(answer.ok ? undefined : answer.problem);
    if (answer.ok) onDone();
  };
  const add = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (added === '') return;
    await change([...videoIds, added]);
    setAdded('');
  };
  const actions: Column<Episode> = {
    title: 'Actions',
    kind: 'tight',
    show: ({ videoId, at, title }) => (
      <div class="actions file-actions">
        {at > 0 && <RowButton label="Up" what={title} onPress={() => void change(moved(videoIds, at, -1))} />}
        {at < videoIds.length - 1 && (
          <RowButton label="Down" what={title} onPress={() => void change(moved(videoIds, at, 1))} />
        )}
        <RowButton
          label="Remove"
          what={title}
          isDangerous
          onPress={() => void change(videoIds.filter((one) => one !== videoId))}
        />
      </div>
    ),
  };
  const columns: readonly Column<Episode>[] = [
    {
      title: 'Episode',
      show: ({ videoId, at, title }) => (
        <>
          {at + 1}. <a href={videoPath(videoId)}>{title}</a>
        </>
      ),
    },
    ...(mayChange ? [actions] : []),
  ];
  const others = (owned.content?.items ?? []).filter(({ videoId }) => !videoIds.includes(videoId));
  return (
    <section class="section" aria-label="Episodes">
      <h2>Episodes</h2>
      {episodes.length === 0 ? (
        <EmptyState title="No episode yet">Add the first one below.</EmptyState>
      ) : (
        <Table label="Episodes" rows={episodes} columns={columns} keyOf={({ videoId }) => videoId} />
      )}
      {problem !== undefined && <ProblemMessage problem={problem} />}
      {mayChange && (
        <form class="filters with-choices section" onSubmit={(event) => void add(event)}>
          <ChoiceField
            label="Video"
            value={added}
            options={[
              { value: '', label: others.length === 0 ? 'No other video of the owner' : 'Choose a video' },
              ...others.map(({ videoId, title }) => ({ value: videoId as string, label: title ?? 'Untitled' })),
            ]}
            onChoose={setAdded}
          />
          <button type="submit" class="button" disabled={added === ''}>
            Add as the last
          </button>
        </form>
      )}
    </section>
  );
};
