/** HLS by the browser itself, which chooses the quality: for those without Media Source Extensions, as iPhones of some years. */
import type { Engine, EngineOptions } from './engine';

export const openNativeEngine = ({ video, manifestUrl, startSeconds, listener }: EngineOptions): Engine => {
  const leaving = new AbortController();
  const { signal } = leaving;
  const load = (seconds: number): void => {
    video.src = manifestUrl;
    video.addEventListener(
      'loadedmetadata',
      () => {
        video.currentTime = seconds;
      },
      { once: true, signal },
    );
  };
  const failed = (): void => {
    if (video.error?.code === MediaError.MEDIA_ERR_DECODE) listener.onFault('undecodable');
    else listener.onFault('unreachable');
  };
  video.addEventListener('error', failed, { signal });
  listener.onQualities([]);
  load(startSeconds);
  return {
    choose: () => undefined,
    resume: () => load(video.currentTime),
    close: () => {
      leaving.abort();
      video.removeAttribute('src');
      video.load();
    },
  };
};
