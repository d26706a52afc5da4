/** Read your writes: a query that names a position or a revision waits for it a moment, and otherwise says so. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { InputFault } from '../../domain/kernel/codec';
import { invalidInput, type Problem, problem, problemOf } from '../../infra/http/problem';
import type { NamedView } from '../../infra/ports/view-store';
import type { Positions } from './positions';

type Headers = { readonly [name: string]: string | undefined };

/** What the caller has seen already and must not be shown less than. */
export interface Floor {
  readonly position: bigint | undefined;
  readonly revision: number | undefined;
}

const largestPosition = 2n ** 64n - 1n;

export const positionIn = (value: string): bigint | undefined => {
  const position = /^\d{1,20}$/.test(value) ? BigInt(value) : undefined;
  return position !== undefined && position <= largestPosition ? position : undefined;
};

/** As a command's `ETag` gives it, or the bare number. */
const revisionIn = (value: string): number | undefined => {
  const [, tagged, bare] = /^(?:(?:W\/)?"(\d{1,15})"|(\d{1,15}))$/.exec(value.trim()) ?? [];
  const found = tagged ?? bare;
  return found === undefined ? undefined : Number(found);
};

const readHeader = <A>(
  value: string | undefined,
  read: (value: string) => A | undefined,
): A | undefined | 'malformed' => (value === undefined ? undefined : (read(value) ?? 'malformed'));

export const floorOf = (headers: Headers, { revisions }: { readonly revisions: boolean }): Either<Problem, Floor> => {
  const position = readHeader(headers['min-position'], positionIn);
  const revision = readHeader(headers['if-min-revision'], revisionIn);
  const faults: InputFault[] = [];
  if (position === 'malformed')
    faults.push({ pointer: '/headers/min-position', expected: 'a position: decimal digits' });
  if (revision === 'malformed')
    faults.push({ pointer: '/headers/if-min-revision', expected: 'a revision: decimal digits, or an ETag' });
  else if (revision !== undefined && !revisions)
    faults.push({ pointer: '/headers/if-min-revision', expected: 'nothing: a page has no revision; use Min-Position' });
  if (position === 'malformed' || revision === 'malformed' || faults.length > 0) return left(invalidInput(faults));
  return right({ position, revision });
};

const notVisible = (detail: string): Either<Problem, never> => left(problem('not-yet-visible', detail));

export const notYet = notVisible('The read model has not come to what was asked for; try again.');

export interface Sight {
  readonly view: NamedView;
  readonly position: bigint | undefined;
  readonly signal: AbortSignal;
}

/** Where the view stands, at the wanted position or later; null when no event has been applied yet. */
export const visible = async (positions: Positions, sight: Sight): Promise<Either<Problem, bigint | null>> => {
  const { view, position, signal } = sight;
  const now = await positions.current(view);
  if (isLeft(now)) return left(problemOf(now.left, {}));
  if (position === undefined || (typeof now.right === 'bigint' && now.right >= position))
    return now.right === undefined ? notVisible('The read model is being built for the first time.') : right(now.right);
  const then = await positions.reached(view, { position, signal });
  if (then === undefined) return notYet;
  return isLeft(then) ? left(problemOf(then.left, {})) : right(then.right ?? null);
};
