import { endingOf } from '../detect/names';
import type { SubtitleFormat } from './parse-subtitles';

/** Undefined: the name is not one of subtitles. */
export const subtitleFormatOf = (name: string): SubtitleFormat | undefined => {
  const ending = endingOf(name);
  return ending === 'srt' || ending === 'vtt' ? ending : undefined;
};
