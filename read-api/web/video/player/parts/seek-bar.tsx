/** Where the film is: a slider over what is loaded, and the thumbnail of the time that is pointed at. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { clockText, spokenTime } from '../clock-text';
import { type Thumbnail, thumbnailAt } from '../thumbnails';

interface Props {
  readonly seconds: number;
  readonly duration: number;
  readonly bufferedEnd: number;
  readonly thumbnails: readonly Thumbnail[];
  readonly onSeek: (seconds: number) => void;
}

interface PreviewProps {
  readonly seconds: number;
  /** From 0 to 1. */
  readonly share: number;
  readonly thumbnail: Thumbnail | undefined;
}

/** A position is set on the element, because the policy of the page forbids inline styles. */
const usePreviewStyle = (
  { share, thumbnail }: PreviewProps,
  box: RefObject<HTMLDivElement | null>,
  picture: RefObject<HTMLDivElement | null>,
): void => {
  useLayoutEffect(() => {
    const { current: preview } = box;
    const around = preview?.parentElement;
    if (thumbnail !== undefined && picture.current !== null) {
      const { url, x, y, width, height } = thumbnail;
      picture.current.style.width = `${width}px`;
      picture.current.style.height = `${height}px`;
      picture.current.style.backgroundImage = `url(${JSON.stringify(url)})`;
      picture.current.style.backgroundPosition = `-${x}px -${y}px`;
    }
    if (preview === null || around === null || around === undefined) return;
    const most = Math.max(0, around.clientWidth - preview.offsetWidth);
    preview.style.left = `${Math.min(most, Math.max(0, share * around.clientWidth - preview.offsetWidth / 2))}px`;
  });
};

const Preview = (props: PreviewProps) => {
  const box = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  usePreviewStyle(props, box, picture);
  return (
    <div ref={box} class="player-preview" aria-hidden="true">
      {props.thumbnail !== undefined && <div ref={picture} class="player-thumbnail" />}
      <span>{clockText(props.seconds)}</span>
    </div>
  );
};

const shareOf = (value: number, whole: number): number => (whole > 0 ? Math.min(1, Math.max(0, value / whole)) : 0);

export const SeekBar = ({ seconds, duration, bufferedEnd, thumbnails, onSeek }: Props) => {
  const [pointed, setPointed] = useState<number>();
  const loaded = useRef<HTMLDivElement>(null);
  const played = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (loaded.current !== null) loaded.current.style.width = `${100 * shareOf(bufferedEnd, duration)}%`;
    if (played.current !== null) played.current.style.width = `${100 * shareOf(seconds, duration)}%`;
  });
  const point = ({ clientX, currentTarget }: PointerEvent): void => {
    const { left, width } = (currentTarget as HTMLElement).getBoundingClientRect();
    setPointed(shareOf(clientX - left, width) * duration);
  };
  return (
    <div
      class="player-seek"
      onPointerMove={point}
      onPointerLeave={() => setPointed(undefined)}
      onPointerCancel={() => setPointed(undefined)}
    >
      <div class="player-track">
        <div ref={loaded} class="player-loaded" />
        <div ref={played} class="player-played" />
      </div>
      <input
        type="range"
        min={0}
        max={duration}
        step="any"
        value={seconds}
        disabled={duration === 0}
        aria-label="Position"
        aria-valuetext={`${spokenTime(seconds)} of ${spokenTime(duration)}`}
        onInput={({ currentTarget }) => onSeek(currentTarget.valueAsNumber)}
      />
      {pointed !== undefined && duration > 0 && (
        <Preview seconds={pointed} share={pointed / duration} thumbnail={thumbnailAt(thumbnails, pointed)} />
      )}
    </div>
  );
};
