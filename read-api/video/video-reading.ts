/** What every query of videos reads. */

import { record } from '../../domain/kernel/codec';
import { VideoId } from '../../domain/video/ids';
import type { JobLookup } from '../../infra/ports/processes/work-queue';
import type { Clock } from '../../infra/ports/runtime/clock';
import type { Random } from '../../infra/ports/runtime/random';
import { commonProblems } from '../../infra/server/http/problem';
import type { Edge } from '../../infra/server/video/edges';
import { videoProblems } from '../../infra/server/video/problems';
import type { ReadPosition } from '../../infra/server/video/resume-position';
import type { DeliveryKeys } from '../../infra/server/video/signed-text';
import type { PartBlobs } from '../../infra/server/video/stored-parts';
import type { VideoSource } from '../../infra/server/video/video-access';
import type { QueryDeps } from '../kernel/row-queries';

export interface VideoReading extends QueryDeps {
  /** The log, with the states that were folded of it. */
  readonly source: VideoSource;
  readonly blobs: PartBlobs;
  readonly jobs: JobLookup;
  readonly clock: Clock;
  readonly random: Pick<Random, 'uuid'>;
  readonly edges: readonly Edge[];
  /** Undefined: this installation delivers no videos. */
  readonly deliveryKeys: DeliveryKeys | undefined;
  readonly readPosition: ReadPosition;
}

export const scopes = ['videos:read'];

export const VideoPath = record('VideoPath', { videoId: VideoId });

export const readProblems = {
  ...videoProblems,
  'event-store-unavailable': commonProblems['event-store-unavailable'],
  'not-yet-visible': commonProblems['not-yet-visible'],
  'view-store-unavailable': commonProblems['view-store-unavailable'],
};
