/** Whether a caller may write as a source. Read when the change comes, so that a reservation holds at once. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { mayWrite, source } from '../../../domain/geo/source/decider';
import { sourceStream } from '../../../domain/geo/source/events';
import type { TenantId } from '../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import { sourceProblems } from '../problems';

export interface SourceWriter {
  readonly tenant: TenantId;
  readonly principalId: string;
}

/** The ones of these sources that are reserved for other principals. */
export const reservedForOthers = async (
  deps: StreamSource,
  { tenant, principalId }: SourceWriter,
  names: Iterable<string>,
): Promise<Either<EventStoreFault, ReadonlySet<string>>> => {
  const reserved = new Set<string>();
  for (const name of new Set(names)) {
    const state = await loadStream(deps, source, sourceStream(tenant, name));
    if (isLeft(state)) return state;
    if (!mayWrite(state.right, principalId)) reserved.add(name);
  }
  return right(reserved);
};

export const requireSource = async (
  deps: StreamSource,
  writer: SourceWriter,
  name: string,
): Promise<Either<Problem, void>> => {
  const reserved = await reservedForOthers(deps, writer, [name]);
  if (isLeft(reserved)) return left(problemOf(reserved.left, {}));
  if (!reserved.right.has(name)) return right(undefined);
  const refusal = {
    kind: 'rejection',
    code: 'source-reserved',
    detail: 'Other principals write as this source.',
  } as const;
  return left(problemOf(refusal, sourceProblems));
};
