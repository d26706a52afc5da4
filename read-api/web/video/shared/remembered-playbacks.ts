/** What this browser remembers of shared videos: where its viewer left each, and the proof that it is the same viewer. No server has it. */

interface RememberedPlayback {
  readonly videoId: string;
  readonly playbackProof: string;
  readonly positionSeconds: number;
}

const key = 'septet-shared-videos';
const most = 50;

const isRemembered = (value: unknown): value is RememberedPlayback => {
  const { videoId, playbackProof, positionSeconds } = (value ?? {}) as { readonly [name: string]: unknown };
  return typeof videoId === 'string' && typeof playbackProof === 'string' && Number.isFinite(positionSeconds);
};

const readAll = (): readonly RememberedPlayback[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRemembered) : [];
  } catch {
    // Without storage each visit is the first.
    return [];
  }
};

export const rememberedPlayback = (videoId: string): RememberedPlayback | undefined =>
  readAll().find((one) => one.videoId === videoId);

/** The newest first; those beyond the limit are dropped. */
export const rememberPlayback = (playback: RememberedPlayback): void => {
  const others = readAll().filter(({ videoId }) => videoId !== playback.videoId);
  try {
    localStorage.setItem(key, JSON.stringify([playback, ...others].slice(0, most)));
  } catch {
    // As above.
  }
};
