/** Opens what plays a film, again at the same position where its addresses have expired, and names what is wrong. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { VideoPlayback } from '../../../../packages/client/src/schemas';
import type { Answer } from '../../kernel/api-client';
import { automatic, type Engine, type PlaybackFault } from './engine/engine';
import { openEngine } from './engine/open-engine';

type EngineKind = 'hls' | 'dash';

export interface FilmSource {
  readonly kind: EngineKind;
  readonly playback: VideoPlayback;
  /** Where it begins. */
  readonly startSeconds: number;
  /** Requests addresses again. */
  readonly renew: () => Promise<Answer<VideoPlayback>>;
}

export interface FilmEngine {
  readonly playback: VideoPlayback;
  readonly qualities: readonly string[];
  /** Of the picture that is shown; empty until there is one. */
  readonly quality: string;
  /** `auto`, or the name of a variant. */
  readonly chosenQuality: string;
  readonly fault: PlaybackFault | undefined;
  readonly choose: (quality: string) => void;
  readonly retry: () => void;
  /** For another proof: the film itself goes on. */
  readonly renewProof: () => void;
}

interface Opening {
  readonly kind: EngineKind;
  readonly playback: VideoPlayback;
  readonly startSeconds: number;
}

/** What DASH may do better: it has the browser decrypt and decode by other ways. */
const faultsOfKind: ReadonlySet<PlaybackFault> = new Set(['protected', 'undecodable', 'unsupported']);

export const useEngine = (video: RefObject<HTMLVideoElement | null>, source: FilmSource): FilmEngine => {
  const { renew } = source;
  const [opening, setOpening] = useState<Opening>(source);
  const [playback, setPlayback] = useState(source.playback);
  const [qualities, setQualities] = useState<readonly string[]>([]);
  const [quality, setQuality] = useState('');
  const [chosenQuality, setChosen] = useState(automatic);
  const [fault, setFault] = useState<PlaybackFault>();
  const engine = useRef<Engine | undefined>(undefined);
  const wasPlaying = useRef(false);
  const isRenewing = useRef(false);
  /** In seconds, by the engine before. */
  const leftAt = useRef<number | undefined>(undefined);

  const reopen = async (): Promise<void> => {
    if (isRenewing.current) return;
    isRenewing.current = true;
    const answer = await renew();
    isRenewing.current = false;
    if (!answer.ok) return setFault(answer.problem.status === 0 ? 'unreachable' : 'expired');
    wasPlaying.current = video.current?.paused === false;
    setPlayback(answer.content);
    setOpening({ ...opening, playback: answer.content, startSeconds: video.current?.currentTime ?? 0 });
    return setFault(undefined);
  };

  useEffect(() => {
    const { current } = video;
    if (current === null) return undefined;
    const { manifestUrl, dashUrl, licenseUrl } = opening.playback;
    const { kind } = opening;
    const startSeconds = leftAt.current ?? opening.startSeconds;
    let isLeft = false;
    const onFault = (next: PlaybackFault): void => {
      // Addresses that are refused from the beginning are refused for another reason than their age.
      const hasLoaded = current.readyState >= HTMLMediaElement.HAVE_METADATA;
      if (next === 'expired' && hasLoaded) void reopen();
      else if (kind === 'hls' && faultsOfKind.has(next)) {
        wasPlaying.current = !current.paused;
        setOpening({ ...opening, kind: 'dash', startSeconds: Math.max(startSeconds, current.currentTime) });
      } else setFault(next);
    };
    const listener = { onQualities: setQualities, onQuality: setQuality, onFault };
    openEngine(kind, { video: current, manifestUrl, dashUrl, licenseUrl, startSeconds, listener }).then(
      (opened) => {
        if (isLeft) return opened?.close();
        engine.current = opened;
        if (opened === undefined) return setFault('unsupported');
        if (wasPlaying.current) void current.play().catch(() => undefined);
        return undefined;
      },
      // The script of the engine could not be loaded.
      () => setFault('unreachable'),
    );
    return () => {
      isLeft = true;
      // A seek may have come after the next opening was decided.
      leftAt.current = current.readyState >= HTMLMediaElement.HAVE_METADATA ? current.currentTime : leftAt.current;
      engine.current?.close();
      engine.current = undefined;
    };
  }, [opening]);

  const retry = (): void => {
    const { current } = engine;
    if (current === undefined || fault === 'expired') void reopen();
    else {
      setFault(undefined);
      current.resume();
    }
  };
  const latestRetry = useRef(retry);
  latestRetry.current = retry;
  useEffect(() => {
    if (fault !== 'unreachable') return undefined;
    const again = (): void => latestRetry.current();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [fault]);

  return {
    playback,
    qualities,
    quality,
    chosenQuality,
    fault,
    choose: (name) => {
      setChosen(name);
      engine.current?.choose(name);
    },
    retry,
    renewProof: () =>
      void renew().then((answer) => {
        if (answer.ok) setPlayback(answer.content);
      }),
  };
};
