/** Sends a command to the storage of a tenant: to the segment that takes events, and to the next one when that is full. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type StorageCommand, type StorageRejection, storage } from '../../../domain/files/storage/decider';
import { storageStream } from '../../../domain/files/storage/events';
import { emptySegment } from '../../../domain/files/storage/state';
import type { TenantId } from '../../../domain/kernel/ids';
import { currentSegment } from '../../../infra/server/files/storage-usage';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { HandleDeps, HandleRequest, Refusal } from '../../kernel/handle-request';
import { loadStream } from '../../kernel/load-stream';

/** Sessions of one tenant write to one stream, from all copies of the service; each attempt reads it again. */
const mostConflicts = 20;
const pauseMilliseconds = 25;

interface AccountedStorage {
  /** False: the command had no effect, or an earlier one was the same. */
  readonly isRecorded: boolean;
}

type Accounted = Promise<Either<Refusal<StorageRejection>, AccountedStorage>>;

type StorageRequest = Omit<HandleRequest<StorageCommand>, 'stream' | 'tenant'>;

const beginSegment = async (
  deps: HandleDeps,
  tenant: TenantId,
  { segment, request }: { readonly segment: number; readonly request: StorageRequest },
): Accounted => {
  const before =
    segment === 1 ? right(emptySegment) : await loadStream(deps, storage, storageStream(tenant, segment - 1));
  if (isLeft(before)) return before;
  const begun = await handle(deps, storage, {
    ...request,
    stream: storageStream(tenant, segment),
    tenant,
    command: { type: 'BeginSegment', before: before.right.kind === 'none' ? emptySegment : before.right },
    fingerprint: ['begin-segment', segment],
    commandId: derivedId('files-storage-segment', tenant, segment),
  });
  return isLeft(begun) ? begun : right({ isRecorded: begun.right.events.length > 0 });
};

export const accountStorage = async (deps: HandleDeps, tenant: TenantId, request: StorageRequest): Accounted => {
  const found = await currentSegment(deps.store, tenant);
  if (isLeft(found)) return found;
  for (let segment = found.right, conflicts = 0; ; ) {
    const handled = await handle(deps, storage, { ...request, stream: storageStream(tenant, segment), tenant });
    if (!isLeft(handled)) return right({ isRecorded: handled.right.events.length > 0 });
    const { code } = handled.left;
    if (code === 'storage-segment-full') segment += 1;
    else if (code === 'storage-segment-missing') {
      const begun = await beginSegment(deps, tenant, { segment, request });
      if (isLeft(begun) && begun.left.code !== 'conflict') return begun;
    } else if (code === 'conflict' && conflicts < mostConflicts) {
      conflicts += 1;
      await sleep(Math.random() * pauseMilliseconds * Math.min(conflicts, 8));
    } else return left(handled.left);
  }
};
