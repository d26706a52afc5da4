/** Watches a video that is public, or opened by its link, without sign-in. */
import { useEffect, useState } from 'preact/hooks';
import { getSharedVideoPlayback, recordSharedHeartbeat } from '../../../../packages/client/src/operations';
import type { SharedVideoPlayback, VideoHeartbeat } from '../../../../packages/client/src/schemas';
import type { Answer } from '../../kernel/api-client';
import type { Problem } from '../../kernel/problem';
import { Player } from '../player/player';
import { readAsGuest, sendAsGuest } from './guest-client';
import { PlayerKeyList } from './player-key-list';
import { rememberedPlayback, rememberPlayback } from './remembered-playbacks';
import { type SharedVideo, sharedWatchPath } from './shared-address';
import { SharedRefusal } from './shared-refusal';

const awaitedMilliseconds = 5_000;

const noVideo: Problem = {
  ...{ status: 404, code: 'video-unknown', title: '', detail: '', errors: [] },
  requestId: undefined,
};

/** The person's own way to it: in the console. */
const signInHrefOf = ({ videoId, link }: SharedVideo): string => {
  const query = link === undefined ? '' : `?link=${encodeURIComponent(link)}`;
  const path = `/console/videos/${encodeURIComponent(videoId)}/watch${query}`;
  return `/console/session/begin?continue=${encodeURIComponent(path)}`;
};

const requestPlayback = async ({ tenantId, videoId, link }: SharedVideo): Promise<Answer<SharedVideoPlayback>> => {
  const before = rememberedPlayback(videoId);
  const answer = await readAsGuest(
    getSharedVideoPlayback({
      ...{ tenantId, videoId },
      ...(link === undefined ? {} : { link }),
      ...(before === undefined ? {} : { earlierProof: before.playbackProof }),
    }),
  );
  if (!answer.ok) return answer;
  const positionSeconds = before?.positionSeconds ?? 0;
  const { playbackProof } = answer.content;
  rememberPlayback({ videoId, playbackProof, positionSeconds });
  return { ok: true, content: { ...answer.content, positionSeconds } };
};

/** The end of a film counts as seen. */
const creditsSeconds = 3;

const resumedAt = (positionSeconds: number, durationSeconds: number): number =>
  positionSeconds >= durationSeconds - creditsSeconds ? 0 : positionSeconds;

interface PlayingProps {
  readonly shared: SharedVideo;
  readonly playback: SharedVideoPlayback;
  readonly onUnshared: () => void;
}

const Playing = ({ shared, playback, onUnshared }: PlayingProps) => {
  const { tenantId, videoId } = shared;
  const { durationSeconds, nextEpisodeId } = playback;
  const title = playback.title ?? 'Video';
  useEffect(() => {
    document.title = `${title} · Septet`;
  }, [title]);
  const report = async (body: VideoHeartbeat) => {
    const positionSeconds = resumedAt(body.positionSeconds, durationSeconds);
    rememberPlayback({ videoId, playbackProof: body.playbackProof, positionSeconds });
    const answer = await sendAsGuest(recordSharedHeartbeat({ tenantId, videoId, body }));
    if (!answer.ok && answer.problem.status === 404) onUnshared();
    return answer;
  };
  return (
    <>
      <Player
        {...{ videoId, title, playback, report }}
        engine={new URLSearchParams(location.search).get('engine') === 'dash' ? 'dash' : 'hls'}
        renew={() => requestPlayback(shared)}
        onEnd={() => undefined}
      />
      <h1>{title}</h1>
      {playback.description !== null && <p class="video-description">{playback.description}</p>}
      {nextEpisodeId !== null && (
        <p>
          <a href={sharedWatchPath({ tenantId, videoId: nextEpisodeId })}>Next episode</a>
        </p>
      )}
      <PlayerKeyList />
    </>
  );
};

interface Props {
  /** Undefined: the address is cut off. */
  readonly shared: SharedVideo | undefined;
}

export const SharedWatchPage = ({ shared }: Props) => {
  const [answer, show] = useState<Answer<SharedVideoPlayback>>();
  const load = async (): Promise<void> => {
    show(shared === undefined ? { ok: false, problem: noVideo } : await requestPlayback(shared));
  };
  useEffect(() => void load(), []);
  const isAwaited = answer?.ok === false && answer.problem.code === 'not-playable';
  useEffect(() => {
    if (!isAwaited) return undefined;
    const timer = setInterval(() => void load(), awaitedMilliseconds);
    return () => clearInterval(timer);
  }, [isAwaited]);
  const signInHref = shared === undefined ? undefined : signInHrefOf(shared);
  return (
    <>
      <header class="watch-header">
        <span>Septet</span>
        {signInHref !== undefined && answer?.ok === true && <a href={signInHref}>Open in the console</a>}
      </header>
      <main class="watch">
        {answer === undefined && <div class="player-waiting" role="status" aria-label="Loading" />}
        {answer?.ok === false && (
          <SharedRefusal {...{ problem: answer.problem, signInHref }} retry={() => void load()} />
        )}
        {answer?.ok === true && shared !== undefined && (
          <Playing {...{ shared, playback: answer.content }} onUnshared={() => show({ ok: false, problem: noVideo })} />
        )}
      </main>
    </>
  );
};
