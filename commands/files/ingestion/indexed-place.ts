/** What chunks are indexed with: how the file is called, and where it lies, at this moment. */

import { type Either, isLeft, right } from 'fp-ts/Either';
import { fileAccessRules } from '../../../domain/files/access/decider';
import { fileAccessStream } from '../../../domain/files/access/events';
import { placedFile } from '../../../domain/files/access/state';
import { file as fileRules } from '../../../domain/files/file/decider';
import { fileStream } from '../../../domain/files/file/events';
import type { FileId } from '../../../domain/files/ids';
import type { IndexedPlace } from '../../../domain/files/ingestion/state';
import type { TenantId } from '../../../domain/kernel/ids';
import { isForgotten } from '../../../domain/kernel/secret';
import { loadAggregate } from '../../../infra/server/aggregates/load-aggregate';
import { loadStream } from '../../kernel/load-stream';
import { again, type JobFailure, type WorkerAdapters } from '../../kernel/work-queue/job-handler';

/** Undefined: it is being deleted. */
export const indexedPlaceOf = async (
  { store, cache }: Pick<WorkerAdapters, 'store' | 'cache'>,
  tenant: TenantId,
  fileId: FileId,
): Promise<Either<JobFailure, IndexedPlace | undefined>> => {
  const file = await loadStream({ store }, fileRules, fileStream(tenant, fileId));
  if (isLeft(file)) return again(file.left.detail);
  // Each stage of each file reads the access of the whole tenant.
  const access = await loadAggregate({ store, cache }, fileAccessRules, fileAccessStream(tenant));
  if (isLeft(access)) return again(access.left.detail);
  if (file.right.kind === 'none' || isForgotten(file.right.name)) return right(undefined);
  const { folderId, ownerId, hidden } = placedFile(access.right.state, file.right);
  return right(hidden.includes('deleted') ? undefined : { name: file.right.name, folderId, ownerId });
};
