/** Indexes the chunks of a file again, with the name and place that it has now. */

import { isLeft, left, right } from 'fp-ts/Either';
import { file as fileRules } from '../../../domain/files/file/decider';
import { fileStream } from '../../../domain/files/file/events';
import { ingestion } from '../../../domain/files/ingestion/decider';
import { ingestionIdOf, ingestionStream } from '../../../domain/files/ingestion/events';
import type { PlacementJob } from '../../../domain/files/place-chunks-on-changed/process';
import { TenantId } from '../../../domain/kernel/ids';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import { again, type PerformJob, type WorkerAdapters } from '../../kernel/work-queue/job-handler';

import { indexedPlaceOf } from './indexed-place';

/** Without an active version there is nothing to index: its stages take the place that the file has when they end. */
export const placeChunks =
  (deps: WorkerAdapters): PerformJob<PlacementJob> =>
  async (job) => {
    const { tenant, payload } = job;
    const { fileId } = payload;
    if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
    const file = await loadStream(deps, fileRules, fileStream(tenant, fileId));
    if (isLeft(file)) return again(file.left.detail);
    const place = await indexedPlaceOf(deps, tenant, fileId);
    if (isLeft(place)) return place;
    if (place.right === undefined || file.right.kind === 'none' || file.right.active === undefined) return right([]);
    const { versionId, pipelineVersion } = file.right.active;
    const placed = await handle(deps, ingestion, {
      stream: ingestionStream(tenant, ingestionIdOf(versionId, pipelineVersion)),
      command: { type: 'PlaceChunks', fileId, versionId, pipelineVersion, place: place.right },
      tenant,
      actor: 'system:work.files-placement',
      ...job.cause,
      commandId: derivedId('files-placement', tenant, job.key),
    });
    return isLeft(placed) ? again(placed.left.detail) : right([]);
  };
