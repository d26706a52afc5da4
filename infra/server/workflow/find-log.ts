/** Finds the log that a caller names, within the caller's tenant, and the chunk to begin with. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { JobId } from '../../../domain/workflow/ids';
import { limits } from '../../../domain/workflow/limits';
import type { LogLocation, LogReader } from '../../ports/workflow/log-store';
import { type Problem, problem, problemOf } from '../http/problem';
import { integerParameter } from '../http/routing/integer-parameter';
import type { Identity } from '../http/routing/route';
import { logProblems } from './problems';

export const LogPath = record('LogPath', { jobId: JobId });
export const longestOffset = 2 ** 31 - 1;
export const logFields = {
  fromOffset: integerParameter('a chunk number from 0', { maximum: longestOffset }),
  attempt: integerParameter('an attempt from 1', { minimum: 1, maximum: 1_000 }),
};

export interface NamedLog {
  readonly identity: Identity;
  readonly jobId: JobId;
  readonly attempt: number | undefined;
}

/** Another tenant's job is as unknown as one that is not there. */
export const findLog = async (
  logs: Pick<LogReader, 'find'>,
  { identity: { tenantId }, jobId, attempt }: NamedLog,
): Promise<Either<Problem, LogLocation>> => {
  if (!TenantId.is(tenantId)) return left(problem('forbidden', 'The tenant of the token is unknown.'));
  const found = await logs.find({ tenantId, jobId, ...(attempt === undefined ? {} : { attempt }) });
  if (isLeft(found)) return left(problemOf(found.left, logProblems));
  if (found.right?.isExpired === true) {
    const detail = `Logs are retained for ${limits.logDays} days.`;
    return left(problemOf({ kind: 'rejection', code: 'log-expired', detail }, logProblems));
  }
  if (found.right !== undefined) return right(found.right);
  const detail = 'There is no such job, or no runner has had this attempt of it.';
  return left(problemOf({ kind: 'rejection', code: 'log-unknown', detail }, logProblems));
};

/** `12` is a chunk of the first attempt, `12@3` one of the third: a client that reconnects goes on in the attempt that it follows. */
export const eventIdOf = (chunkOffset: number, attempt: number): string =>
  attempt === 1 ? String(chunkOffset) : `${chunkOffset}@${attempt}`;

export const parseEventId = (id: string): { readonly from: number; readonly attempt: number } | undefined => {
  const [, offset, attempt = '1'] = /^(\d{1,9})(?:@([1-9]\d{0,3}))?$/.exec(id) ?? [];
  return offset === undefined ? undefined : { from: Number(offset) + 1, attempt: Number(attempt) };
};
