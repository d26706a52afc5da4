/** The views of videos. */
import type { Projection } from '../kernel/projection';
import { videoReportsProjection } from './reports/project';
import { seriesProjection } from './series/project';
import { videoSourcesProjection } from './sources/project';
import { videosProjection } from './videos/project';
import { viewDaysProjection } from './view-days/project';
import { viewMinutesProjection } from './view-minutes/project';

export const context: readonly Projection[] = [
  videosProjection,
  seriesProjection,
  videoReportsProjection,
  videoSourcesProjection,
  viewDaysProjection,
  viewMinutesProjection,
];
