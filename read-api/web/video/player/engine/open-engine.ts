/** Chooses what plays. Media Source Extensions come first: Chromium answers `maybe` for HLS of its own and cannot play it. */
import type { Engine, EngineOptions } from './engine';
import { openNativeEngine } from './native-engine';

const hasMediaSource = (): boolean => 'MediaSource' in globalThis || 'ManagedMediaSource' in globalThis;

const loadHls = () => import('./hls-engine');

/** Before it is known what is played: most films are by hls.js. */
export const preloadEngine = (): void => {
  // What cannot be loaded is loaded again, and reported, with the film.
  if (hasMediaSource()) void loadHls().catch(() => undefined);
};

/** Undefined: this browser plays no film of ours. */
export const openEngine = async (kind: 'hls' | 'dash', options: EngineOptions): Promise<Engine | undefined> => {
  if (hasMediaSource()) {
    if (kind === 'dash') return (await import('./dash-engine')).openDashEngine(options);
    return (await loadHls()).openHlsEngine(options);
  }
  return options.video.canPlayType('application/vnd.apple.mpegurl') === '' ? undefined : openNativeEngine(options);
};
