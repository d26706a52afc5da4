/** Plays one film. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { VideoPlayback } from '../../../../packages/client/src/schemas';
import type { Answer } from '../../kernel/api-client';
import { clockText } from './clock-text';
import type { PlaybackFault } from './engine/engine';
import { wordsOf } from './fault-words';
import { ControlBar } from './parts/control-bar';
import { Icon } from './parts/icon';
import { SeekBar } from './parts/seek-bar';
import { resumePosition } from './resume-position';
import { useCaptions } from './use-captions';
import { useEngine } from './use-engine';
import { useFullScreen } from './use-full-screen';
import { type ReportWatched, useHeartbeats } from './use-heartbeats';
import { type MediaSnapshot, useMedia } from './use-media';
import { type PlayerActions, usePlayerKeys } from './use-player-keys';
import { useThumbnails } from './use-thumbnails';

interface Props {
  readonly videoId: string;
  readonly title: string;
  readonly playback: VideoPlayback;
  readonly engine: 'hls' | 'dash';
  readonly renew: () => Promise<Answer<VideoPlayback>>;
  readonly report: ReportWatched;
  /** It follows another film, whose viewer did nothing against that. */
  readonly isAutoplaying?: boolean;
  readonly onEnd: () => void;
}

const bounded = (value: number, most: number): number => Math.min(most, Math.max(0, value));

interface Controls extends Pick<PlayerActions, 'toggle' | 'skip' | 'seekTo' | 'changeVolume' | 'toggleMute'> {
  readonly seek: (seconds: number) => void;
  readonly setVolume: (volume: number) => void;
  readonly setRate: (rate: number) => void;
}

const controlsOf = (video: RefObject<HTMLVideoElement | null>): Controls => {
  const withMedia =
    <Value,>(act: (media: HTMLVideoElement, value: Value) => void) =>
    (value: Value): void => {
      if (video.current !== null) act(video.current, value);
    };
  const seek = withMedia<number>((media, seconds) => {
    if (Number.isFinite(media.duration)) media.currentTime = bounded(seconds, media.duration);
  });
  const setVolume = withMedia<number>((media, volume) => {
    media.volume = bounded(volume, 1);
    media.muted = media.volume === 0;
  });
  return {
    seek,
    setVolume,
    toggle: withMedia<void>((media) => {
      // It may be refused, as where a person has not touched the page yet; the button stays.
      if (media.paused) void media.play().catch(() => undefined);
      else media.pause();
    }),
    skip: withMedia((media, seconds) => seek(media.currentTime + seconds)),
    seekTo: withMedia((media, share) => {
      const seekShare = (): void => seek(media.duration * share);
      // While its addresses are renewed the film has no length for a moment.
      if (Number.isFinite(media.duration)) seekShare();
      else media.addEventListener('durationchange', seekShare, { once: true });
    }),
    changeVolume: withMedia((media, share) => setVolume((media.muted ? 0 : media.volume) + share)),
    toggleMute: withMedia<void>((media) => {
      media.muted = !media.muted;
      if (!media.muted && media.volume === 0) media.volume = 0.5;
    }),
    setRate: withMedia<number>((media, rate) => {
      media.playbackRate = rate;
    }),
  };
};

const Fault = ({ fault, retry }: { readonly fault: PlaybackFault; readonly retry: () => void }) => {
  const { title, detail, isTemporary } = wordsOf(fault);
  return (
    <div class="player-fault" role="alert">
      <h2>{title}</h2>
      <p>{detail}</p>
      {isTemporary && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
};

/** Over the picture: what it waits for, or how it begins. */
const Overlay = ({ media, toggle }: { readonly media: MediaSnapshot; readonly toggle: () => void }) => {
  if (media.isWaiting) return <div class="player-waiting" role="status" aria-label="Loading" />;
  if (media.hasBegun || media.duration === 0) return null;
  return (
    <button type="button" class="player-begin" tabIndex={-1} aria-hidden="true" onClick={toggle}>
      <Icon name="play" />
    </button>
  );
};

const idleMilliseconds = 3_000;

/** In full screen the bar is away while the pointer and the keys rest. */
const useIdle = (frame: RefObject<HTMLElement | null>): boolean => {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leaving = new AbortController();
    const stir = (): void => {
      clearTimeout(timer);
      setIdle(false);
      timer = setTimeout(() => setIdle(true), idleMilliseconds);
    };
    for (const event of ['pointermove', 'pointerdown', 'keydown', 'focusin'])
      frame.current?.addEventListener(event, stir, { signal: leaving.signal });
    stir();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, []);
  return isIdle;
};

export const Player = ({
  videoId,
  title,
  playback: first,
  engine: kind,
  renew,
  report,
  isAutoplaying = false,
  onEnd,
}: Props) => {
  const frame = useRef<HTMLElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const [startSeconds, setStart] = useState(() => resumePosition(first.positionSeconds, first.durationSeconds));
  const engine = useEngine(video, { kind, playback: first, startSeconds, renew });
  const { playback, fault, retry, quality } = engine;
  const media = useMedia(video);
  const captions = useCaptions(video, first.subtitleTracks);
  const full = useFullScreen(frame, video);
  const thumbnails = useThumbnails(first.thumbnailsUrl);
  const isIdle = useIdle(frame);
  const [controls] = useState(() => controlsOf(video));
  const actions: PlayerActions = { ...controls, toggleFull: full.toggle, toggleCaptions: captions.toggle };
  usePlayerKeys(actions);
  useHeartbeats({
    ...{ videoId, report, media: video, quality, playbackProof: playback.playbackProof },
    onProofRefused: engine.renewProof,
  });
  const film = {
    ...({ ref: video, playsInline: true, crossOrigin: 'anonymous', preload: 'auto', 'aria-label': title } as const),
    poster: first.posterUrl ?? '',
    onClick: () => actions.toggle(),
    onDblClick: actions.toggleFull,
    onEnded: onEnd,
    autoplay: isAutoplaying,
  };
  const isQuiet = isIdle && full.isFull && !media.isPaused;
  return (
    <section ref={frame} class={isQuiet ? 'player quiet' : 'player'} aria-label={`Player: ${title}`}>
      <div class="player-stage">
        <video {...film}>
          {first.subtitleTracks.map(({ url, language, label }) => (
            <track key={url} kind="captions" src={url} srcLang={language} label={label} />
          ))}
        </video>
        {fault === undefined ? (
          <Overlay media={media} toggle={actions.toggle} />
        ) : (
          <Fault fault={fault} retry={retry} />
        )}
      </div>
      <div class="player-controls">
        <SeekBar {...media} thumbnails={thumbnails} onSeek={controls.seek} />
        <ControlBar
          {...{ media, actions, engine, captions, isFull: full.isFull }}
          tracks={first.subtitleTracks}
          setRate={controls.setRate}
          setVolume={controls.setVolume}
        />
      </div>
      {startSeconds > 0 && fault === undefined && (
        <p class="player-resumed" role="status">
          Continued at {clockText(startSeconds)}.{' '}
          <button
            type="button"
            class="button quiet small"
            onClick={() => {
              controls.seek(0);
              setStart(0);
            }}
          >
            From the beginning
          </button>
        </p>
      )}
    </section>
  );
};
