/** Full screen of the player; where only the film itself can have it, as on iPhones, that. */
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export const useFullScreen = (
  frame: RefObject<HTMLElement | null>,
  video: RefObject<HTMLVideoElement | null>,
): { readonly isFull: boolean; readonly toggle: () => void } => {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const changed = (): void => setFull(document.fullscreenElement === frame.current);
    document.addEventListener('fullscreenchange', changed);
    return () => document.removeEventListener('fullscreenchange', changed);
  }, []);
  const enter = async (): Promise<void> => {
    if (frame.current?.requestFullscreen !== undefined) return frame.current.requestFullscreen();
    const enterOwn: unknown = Reflect.get(video.current ?? {}, 'webkitEnterFullscreen');
    if (typeof enterOwn === 'function') enterOwn.call(video.current);
    return undefined;
  };
  const toggle = (): void => {
    const done = document.fullscreenElement === null ? enter() : document.exitFullscreen();
    // Browsers refuse it where nothing was pressed.
    done.catch(() => undefined);
  };
  return { isFull, toggle };
};
