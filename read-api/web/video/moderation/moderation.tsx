/** What administrators decide on one video: its sound is blocked, a match is overridden, the video is taken down. */
import { useState } from 'preact/hooks';
import { listVideoReports, overrideVideoMatch, takeDownVideo } from '../../../../packages/client/src/operations';
import type { Video } from '../../../../packages/client/src/schemas';
import { useActions } from '../../identity/shared/action-dialog';
import { countOf } from '../../kernel/format';
import { navigate } from '../../kernel/router';
import { useResource } from '../../kernel/use-resource';
import { videoReportsPath } from '../paths';
import { BlockDialog } from './block-dialog';

interface Props {
  readonly video: Video;
  readonly onDone: () => void;
}

export const VideoModeration = ({ video: { videoId, title, failureCode, status }, onDone }: Props) => {
  const reports = useResource(listVideoReports({ videoId, state: 'open', limit: 200 }));
  const [isBlocking, setBlocking] = useState(false);
  const match = useActions(onDone);
  const takedown = useActions(() => navigate(videoReportsPath));
  const name = title ?? 'The video';
  const count = reports.content?.items.length ?? 0;
  return (
    <section class="section" aria-label="Moderation">
      <h2>Moderation</h2>
      <p class="help">
        {failureCode === 'COPYRIGHT_MATCH'
          ? 'Its sound has a blocked recording. With an override its processing continues.'
          : 'Only administrators of videos see this.'}{' '}
        <a href={videoReportsPath}>{count === 0 ? 'No open report' : countOf(count, 'open report')}</a>
      </p>
      <div class="actions">
        {failureCode === 'COPYRIGHT_MATCH' && (
          <button
            type="button"
            class="button small"
            onClick={() =>
              match.openDialog({
                title: 'Override the match?',
                text: `${name} is processed on although its sound has a blocked recording. Its owner sees the reason, too.`,
                act: 'Override',
                success: 'The match is overridden.',
                command: (reason) => overrideVideoMatch({ videoId, body: { reason } }),
              })
            }
          >
            Override the match
          </button>
        )}
        {status === 'ready' && (
          <button type="button" class="button small" onClick={() => setBlocking(true)}>
            Block its sound
          </button>
        )}
        <button
          type="button"
          class="button small danger"
          onClick={() =>
            takedown.openDialog({
              title: 'Take the video down?',
              text: `${name} is deleted with its source and all that was made of it. Its reporters see the reason, too.`,
              act: 'Take down',
              isDangerous: true,
              again: 'No viewer can play it from then on, and it cannot be brought back.',
              success: 'The video was taken down.',
              command: (reason) => takeDownVideo({ videoId, body: { reason } }),
            })
          }
        >
          Take down
        </button>
      </div>
      {match.dialog}
      {takedown.dialog}
      {isBlocking && <BlockDialog videoId={videoId} title={title ?? ''} close={() => setBlocking(false)} />}
    </section>
  );
};
