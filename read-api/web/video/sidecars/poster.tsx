/** The poster of a video: the one that is shown, a picture of the film instead, or an uploaded one. */
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  chooseVideoPoster,
  getVideoPlayback,
  getVideoPoster,
  resetVideoPoster,
} from '../../../../packages/client/src/operations';
import type { VideoPoster as Poster, Video, VideoPlayback } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { Dialog } from '../../components/dialog';
import { ProblemMessage } from '../../components/problem-message';
import { read } from '../../kernel/api-client';
import { hasScope } from '../../kernel/permissions';
import type { Problem } from '../../kernel/problem';
import { useCommand } from '../../kernel/use-command';
import { useResource } from '../../kernel/use-resource';
import { clockText } from '../player/clock-text';
import { SeekBar } from '../player/parts/seek-bar';
import { useEngine } from '../player/use-engine';
import { useMedia } from '../player/use-media';
import { useThumbnails } from '../player/use-thumbnails';
import { FileField } from './file-field';
import { pictureText } from './poster-picture';

interface FrameProps {
  readonly videoId: string;
  readonly title: string;
  readonly playback: VideoPlayback;
  readonly choose: (seconds: number) => void;
}

/** Nothing is counted as watched: no heartbeat is sent. */
const FrameChoice = ({ videoId, title, playback, choose }: FrameProps) => {
  const video = useRef<HTMLVideoElement>(null);
  const { fault } = useEngine(video, {
    ...{ kind: 'hls', playback, startSeconds: 0 },
    renew: () => read(getVideoPlayback({ videoId })),
  });
  const media = useMedia(video);
  const thumbnails = useThumbnails(playback.thumbnailsUrl);
  const seek = (seconds: number): void => {
    if (video.current !== null) video.current.currentTime = seconds;
  };
  return (
    <div class="poster-choice">
      <video
        ref={video}
        class="poster-picture"
        muted
        playsInline
        crossOrigin="anonymous"
        preload="auto"
        aria-label={title}
      />
      <SeekBar {...media} thumbnails={thumbnails} onSeek={seek} />
      {fault !== undefined && <p class="notice warn">The film cannot be shown here now. Upload a picture instead.</p>}
      <div class="actions">
        <button
          type="button"
          class="button primary"
          disabled={media.duration === 0 || fault !== undefined}
          onClick={() => choose(video.current?.currentTime ?? 0)}
        >
          Use this picture
        </button>
      </div>
    </div>
  );
};

interface ChoiceProps {
  readonly video: Video;
  readonly onDone: () => void;
  readonly close: () => void;
}

const FrameDialog = ({ video: { videoId, title }, onDone, close }: ChoiceProps) => {
  const playback = useResource(getVideoPlayback({ videoId }));
  const send = useCommand();
  const [problem, setProblem] = useState<Problem>();
  const choose = async (seconds: number): Promise<void> => {
    const body = { positionSeconds: Math.round(seconds * 1_000) / 1_000 };
    const answer = await send(chooseVideoPoster({ videoId, body }));
    if (!answer.ok) return setProblem(answer.problem);
    onDone();
    return close();
  };
  return (
    <Dialog title="Choose a picture of the film" close={close}>
      <AsyncContent source={playback} rows={4}>
        {(found) => (
          <FrameChoice
            {...{ videoId, title: title ?? 'The film', playback: found }}
            choose={(seconds) => void choose(seconds)}
          />
        )}
      </AsyncContent>
      {problem !== undefined && <ProblemMessage problem={problem} />}
      <div class="actions">
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
};

const UploadDialog = ({ video: { videoId }, onDone, close }: ChoiceProps) => {
  const send = useCommand();
  const [file, setFile] = useState<File>();
  const [fault, setFault] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (file === undefined) return;
    const picture = await pictureText(file);
    setFault(picture === undefined ? 'The picture cannot be read: save it as JPEG, and choose that.' : undefined);
    if (picture === undefined) return;
    const answer = await send(chooseVideoPoster({ videoId, body: { picture } }));
    if (!answer.ok) return setProblem(answer.problem);
    onDone();
    return close();
  };
  return (
    <Dialog title="Upload a poster" close={close}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <FileField
          label="Picture"
          accept="image/jpeg,image/png,image/webp"
          help="JPEG, PNG or WebP. It is shown with 1,280 pixels at most; where it was taken is not kept."
          file={file}
          onChoose={setFile}
        />
        {fault !== undefined && (
          <p class="notice bad" role="alert">
            {fault}
          </p>
        )}
        {problem !== undefined && <ProblemMessage problem={problem} />}
        <div class="actions">
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={file === undefined}>
            Upload
          </button>
        </div>
      </form>
    </Dialog>
  );
};

const originText = ({ url, origin, positionSeconds }: Poster): string => {
  if (url === null) return 'One is made of the film while it is processed.';
  if (origin === 'picture') return 'A picture that was uploaded.';
  return origin === 'frame' && positionSeconds !== null
    ? `The picture of the film at ${clockText(positionSeconds)}.`
    : 'A picture that was found in the film.';
};

const Request = ({ poster: { request, reason } }: { readonly poster: Poster }) => {
  if (request === 'none') return null;
  return (
    <p class={request === 'refused' ? 'notice warn' : 'notice'} role="status">
      {request === 'pending' ? `Another one is being made. ${reason ?? ''}` : reason}
    </p>
  );
};

const everyMilliseconds = 2_000;

export const VideoPosterChoice = ({ video }: { readonly video: Video }) => {
  const { videoId, title, playableAt, status } = video;
  const [isPending, setPending] = useState(false);
  const poster = useResource(getVideoPoster({ videoId }), isPending ? { everyMilliseconds } : {});
  const isWaiting = poster.content?.request === 'pending';
  useEffect(() => setPending(isWaiting), [isWaiting]);
  const [open, setOpen] = useState<'frame' | 'upload'>();
  const [problem, setProblem] = useState<Problem>();
  const send = useCommand();
  const reset = async (): Promise<void> => {
    const answer = await send(resetVideoPoster({ videoId }));
    setProblem(answer.ok ? undefined : answer.problem);
    poster.reload();
  };
  const choice = { video, onDone: poster.reload, close: () => setOpen(undefined) };
  return (
    <section class="section" aria-label="Poster">
      <h2>Poster</h2>
      <AsyncContent source={poster} rows={3}>
        {(found) => (
          <>
            {found.url !== null && (
              <img
                class="poster-picture"
                src={found.url}
                alt={`Poster of ${title ?? 'the video'}`}
                crossOrigin="anonymous"
              />
            )}
            <p class="help">{originText(found)}</p>
            <Request poster={found} />
            {problem !== undefined && <ProblemMessage problem={problem} />}
            {hasScope('videos:write') && (
              <div class="actions start">
                {playableAt !== null && status !== 'failed' && (
                  <button type="button" class="button" onClick={() => setOpen('frame')}>
                    Choose a picture of the film
                  </button>
                )}
                <button type="button" class="button" onClick={() => setOpen('upload')}>
                  Upload a picture
                </button>
                {found.origin !== 'film' && (
                  <button type="button" class="button" onClick={() => void reset()}>
                    Use the one that was found
                  </button>
                )}
              </div>
            )}
          </>
        )}
      </AsyncContent>
      {open === 'frame' && <FrameDialog {...choice} />}
      {open === 'upload' && <UploadDialog {...choice} />}
    </section>
  );
};
