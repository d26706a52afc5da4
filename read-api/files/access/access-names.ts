/** Names of folders, groups and people for answers, which the query side cannot read from the log. Null: gone, or not there yet. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { nullable, text } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { ViewFault } from '../../../infra/ports/views/view-store';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { RouteRequest } from '../../../infra/server/http/routing/route';
import { type AccessNameRow, accessNamesView } from '../../../projections/files/access-names/view';
import { principalsView } from '../../../projections/identity/principals/view';
import { parseMinimumVersion, waitUntilVisible } from '../../kernel/read-your-writes';
import { waitDeadline } from '../../kernel/row-queries';
import type { FileReading } from '../file-reading';

export const AccessName = nullable(text('FileAccessName', { maxLength: 200, examples: ['Contracts'] }));
export type AccessName = t.TypeOf<typeof AccessName>;

export type NamedAccess = Pick<AccessNameRow, 'name' | 'createdAt' | 'trashedAt'>;

/** Of `findMany`. */
const keysAtOnce = 1_000;

type Views = Pick<FileReading, 'views'>;

/** By id; what the view does not have yet is absent. */
export const accessNamesOf = async (
  { views }: Views,
  tenant: TenantId,
  kind: AccessNameRow['kind'],
  ids: readonly string[],
): Promise<Either<ViewFault, ReadonlyMap<string, NamedAccess>>> => {
  const named = new Map<string, NamedAccess>();
  for (let from = 0; from < ids.length; from += keysAtOnce) {
    const keys = ids.slice(from, from + keysAtOnce).map((id) => ({ kind, id }));
    const rows = await views.findMany(accessNamesView, tenant, keys);
    if (isLeft(rows)) return rows;
    for (const row of rows.right) if (row !== undefined) named.set(row.id, row);
  }
  return right(named);
};

/** A name, or the label of a program. The view is identity's: while it is being built, people have no names, and answers are given all the same. */
export const peopleNamesOf = async (
  { views }: Views,
  tenant: TenantId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> => {
  const names = new Map<string, string | null>();
  for (let from = 0; from < ids.length; from += keysAtOnce) {
    const keys = ids.slice(from, from + keysAtOnce).map((id) => ({ principalId: id as PrincipalId }));
    const rows = await views.findMany(principalsView, tenant, keys);
    for (const row of isLeft(rows) ? [] : rows.right) if (row !== undefined) names.set(row.principalId, row.name);
  }
  return names;
};

/** The position of the names, once it is the caller's. */
export const namesPosition = async (
  { positions }: FileReading,
  { headers, signal }: Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'signal'>,
): Promise<Either<Problem, bigint | null>> => {
  const floor = parseMinimumVersion(headers, { revisions: false });
  if (isLeft(floor)) return floor;
  const until = waitDeadline(signal, floor.right);
  return waitUntilVisible(positions, { view: accessNamesView, position: floor.right.position, signal: until });
};

export const named = <Value>(found: Either<ViewFault, Value>): Either<Problem, Value> =>
  isLeft(found) ? left(problemOf(found.left, {})) : found;
