/** Captions of a film: one of its tracks is shown, or none. */
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { VideoSubtitleTrack } from '../../../../packages/client/src/schemas';

export interface Captions {
  /** The number of the shown track as a text; empty: none. */
  readonly chosen: string;
  readonly choose: (chosen: string) => void;
  readonly toggle: () => void;
}

/** In a language that the reader prefers, or the first. */
const preferred = (tracks: readonly VideoSubtitleTrack[]): string => {
  const wanted = navigator.languages.map((language) => language.split('-')[0]);
  const found = tracks.findIndex(({ language }) => wanted.includes(language.split('-')[0]));
  return tracks.length === 0 ? '' : String(Math.max(0, found));
};

export const useCaptions = (
  video: RefObject<HTMLVideoElement | null>,
  tracks: readonly VideoSubtitleTrack[],
): Captions => {
  const [chosen, choose] = useState('');
  const [last, setLast] = useState('');
  useEffect(() => {
    const elements = video.current?.querySelectorAll('track') ?? [];
    for (const [index, { track }] of [...elements].entries())
      track.mode = chosen === String(index) ? 'showing' : 'disabled';
    if (chosen !== '') setLast(chosen);
  }, [chosen, tracks]);
  return { chosen, choose, toggle: () => choose(chosen === '' ? last || preferred(tracks) : '') };
};
