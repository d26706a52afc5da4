/** Destroys the keys of a subject: what they sealed in the log, in all backups of it and elsewhere stays sealed for good. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { TenantId } from '../../domain/kernel/ids';
import { subject } from '../../domain/privacy/subject/decider';
import { type ForgetReason, subjectStream } from '../../domain/privacy/subject/events';
import { handle } from './handle';
import type { HandleRequest } from './handle-request';
import { loadStream } from './load-stream';
import type { WorkerAdapters } from './work-queue/job-handler';

export interface DestroyedKey {
  /** All that it ever had. */
  readonly keys: number;
  readonly left: number;
  /** Of the erasure in the log. */
  readonly position: bigint;
}

interface ForgottenSubject {
  readonly tenant: TenantId;
  /** As a file, a folder, or a generation of a video. */
  readonly subjectId: string;
  readonly reason: ForgetReason;
  /** What the erasure of these keys is recorded with. */
  readonly recorded: (keys: readonly string[]) => Omit<HandleRequest<unknown>, 'stream' | 'command'>;
}

/** Recorded first, so that it is carried out after any failure, and also where a backup is restored. */
export const forgetKeys = async (
  deps: WorkerAdapters,
  { tenant, subjectId, reason, recorded: about }: ForgottenSubject,
): Promise<Either<string, DestroyedKey>> => {
  const { vault } = deps;
  const hash = vault.subjectOf(tenant, subjectId);
  const found = await vault.keysOf(hash);
  if (isLeft(found)) return left(found.left.detail);
  const stream = subjectStream(tenant, hash);
  const recorded = await handle(deps, subject, {
    stream,
    command: { type: 'ForgetSubject', subject: hash, keys: found.right, reason },
    ...about(found.right),
  });
  if (isLeft(recorded)) return left(recorded.left.detail);
  const forgotten = await loadStream(deps, subject, stream);
  if (isLeft(forgotten)) return left(forgotten.left.detail);
  const keys = forgotten.right ?? [];
  vault.drop(keys);
  const erased = await vault.erase(keys);
  if (isLeft(erased)) return left(erased.left.detail);
  const remaining = await vault.keysOf(hash);
  if (isLeft(remaining)) return left(remaining.left.detail);
  return right({ keys: keys.length, left: remaining.right.length, position: recorded.right.position });
};
