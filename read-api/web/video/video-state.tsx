/** The state of a video, and what it waits for. */
import type { Video } from '../../../packages/client/src/schemas';
import { StatusBadge } from '../components/status-badge';

const labels = {
  uploading: { tone: 'plain', text: 'Uploading' },
  processing: { tone: 'plain', text: 'Processing' },
  ready: { tone: 'good', text: 'Ready' },
  failed: { tone: 'bad', text: 'Failed' },
} as const;

export const stateOptions = (['uploading', 'processing', 'ready', 'failed'] as const).map((value) => ({
  value,
  label: labels[value].text,
}));

const waitingFor = (video: Video): string | undefined => {
  switch (video.status) {
    case 'uploading':
      return 'Its parts are awaited. Choose the same file again to continue an upload that broke off.';
    case 'processing':
      return video.playableAt === null
        ? 'Its page has each step.'
        : 'It can be watched already; more qualities follow.';
    case 'failed':
      return video.failureDetail ?? undefined;
    case 'ready':
      return undefined;
  }
};

export const VideoState = ({ video }: { readonly video: Video }) => {
  const { tone, text } = labels[video.status];
  const waiting = waitingFor(video);
  return (
    <>
      <StatusBadge tone={tone}>{text}</StatusBadge>
      {waiting !== undefined && <div class="below">{waiting}</div>}
    </>
  );
};
