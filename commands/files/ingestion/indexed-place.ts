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
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import type { JobFailure } from '../../kernel/work-queue/job-handler';
import { again } from './stage-run';

/** Undefined: it is being deleted. */
export const indexedPlaceOf = async (
  source: StreamSource,
  tenant: TenantId,
  fileId: FileId,
): Promise<Either<JobFailure, IndexedPlace | undefined>> => {
  const file = await loadStream(source, fileRules, fileStream(tenant, fileId));
  if (isLeft(file)) return again(file.left.detail);
  const access = await loadStream(source, fileAccessRules, fileAccessStream(tenant));
  if (isLeft(access)) return again(access.left.detail);
  if (file.right.kind === 'none' || isForgotten(file.right.name)) return right(undefined);
  const { folderId, ownerId, hidden } = placedFile(access.right, file.right);
  return right(hidden.includes('deleted') ? undefined : { name: file.right.name, folderId, ownerId });
};
