/** Where viewers left videos, for going on with another device. */
import type { Either } from 'fp-ts/Either';
import type { ViewCountFault, ViewerName } from './view-counts';

/** Both in milliseconds. */
export interface FilmPosition {
  readonly position: number;
  /** Of the film; 0 where it is not known. */
  readonly duration: number;
}

export interface WatchPositions {
  /** Undefined where it is not known. */
  readonly find: (viewer: ViewerName) => Promise<Either<ViewCountFault, FilmPosition | undefined>>;
  readonly close: () => Promise<unknown>;
}
