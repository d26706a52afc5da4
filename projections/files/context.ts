/** The views of files. */
import type { Projection } from '../kernel/projection';
import { accessNamesProjection } from './access-names/project';
import { chunksProjection } from './chunks/project';
import { fileDeletionsProjection } from './deletions/project';
import { filesProjection } from './files/project';
import { fileNamesProjection } from './names/project';
import { fileVersionsProjection } from './versions/project';

export const context: readonly Projection[] = [
  filesProjection,
  fileNamesProjection,
  accessNamesProjection,
  fileVersionsProjection,
  chunksProjection,
  fileDeletionsProjection,
];
