/** Where a viewer goes on with a video that was left, also on another device. */
import { isLeft } from 'fp-ts/Either';
import type { ViewerName } from '../../ports/video/view-counts';
import type { FilmPosition, WatchPositions } from '../../ports/video/watch-positions';

/** Close to its end a film was seen: the next playback begins at its beginning. */
const creditsMilliseconds = 15_000;

export const resumePosition = ({ position, duration }: FilmPosition): number =>
  duration > 0 && position >= duration - Math.min(creditsMilliseconds, duration / 10) ? 0 : position;

/** In whole seconds; 0 where it is not known. A film plays also while nothing of it is. */
export type ReadPosition = (viewer: ViewerName) => Promise<number>;

export const positionReader =
  ({ find }: Pick<WatchPositions, 'find'>): ReadPosition =>
  async (viewer) => {
    const found = await find(viewer);
    return isLeft(found) || found.right === undefined ? 0 : Math.floor(resumePosition(found.right) / 1_000);
  };
