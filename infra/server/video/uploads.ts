/** Reads a video's upload to its end, for its owner; to all others it is one that never was. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { TenantId } from '../../../domain/kernel/ids';
import type { VideoId } from '../../../domain/video/ids';
import { type VideoUploadEvent, videoUploadStream, videoUploads } from '../../../domain/video/upload/events';
import { evolve, type InitiatedUpload, noUpload, type VideoUploadState } from '../../../domain/video/upload/state';
import type { EventStoreFault } from '../../ports/event-store';
import { type AggregateSource, loadAggregate } from '../aggregates/load-aggregate';
import type { FoldRules } from '../aggregates/loaded-aggregate';
import { type Problem, problem, problemOf } from '../http/problem';
import type { Identity } from '../http/routing/route';
import { videoUnknown } from './problems';

/** A cache holds one state of a stream, by the rules that folded it: what shares a cache shares its rules. */
export interface VideoUploadSource extends AggregateSource {
  readonly rules: FoldRules<VideoUploadState, VideoUploadEvent>;
}

/** Of readers, which know no deciders. */
export const uploadReaderRules: VideoUploadSource['rules'] = { family: videoUploads, initial: noUpload, evolve };

/** Of a source that is to take the place of the one that the video has; undefined: none is on its way. */
export const findSourceUpload = async (
  source: VideoUploadSource,
  { tenant, videoId }: { readonly tenant: TenantId; readonly videoId: VideoId },
): Promise<Either<EventStoreFault, InitiatedUpload | undefined>> => {
  const loaded = await loadAggregate(source, source.rules, videoUploadStream(tenant, videoId));
  if (isLeft(loaded)) return loaded;
  const { state } = loaded.right;
  return right(state.kind === 'open' && !state.arePartsReceived ? state : undefined);
};

export interface OwnUpload {
  readonly tenant: TenantId;
  readonly upload: InitiatedUpload;
}

export const requireOwnUpload = async (
  source: VideoUploadSource,
  { tenantId, principalId }: Pick<Identity, 'tenantId' | 'principalId'>,
  { videoId, uploadId }: { readonly videoId: VideoId; readonly uploadId?: string | undefined },
): Promise<Either<Problem, OwnUpload>> => {
  if (!TenantId.is(tenantId)) return left(problem('forbidden', 'The tenant of the token is unknown.'));
  const loaded = await loadAggregate(source, source.rules, videoUploadStream(tenantId, videoId));
  if (isLeft(loaded)) return left(problemOf(loaded.left, {}));
  const { state } = loaded.right;
  if (state.kind === 'none' || state.ownerId !== principalId) return left(videoUnknown);
  if (uploadId !== undefined && state.uploadId !== uploadId) return left(videoUnknown);
  return right({ tenant: tenantId, upload: state });
};
