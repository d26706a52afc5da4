/** The views of files. */
import type { Projection } from '../kernel/projection';
import { chunksProjection } from './chunks/project';
import { filesProjection } from './files/project';
import { fileNamesProjection } from './names/project';
import { fileVersionsProjection } from './versions/project';

export const context: readonly Projection[] = [
  filesProjection,
  fileNamesProjection,
  fileVersionsProjection,
  chunksProjection,
];
