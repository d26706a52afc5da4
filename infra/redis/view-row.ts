/** A row's hash: each field holds JSON. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { decode } from '../../domain/kernel/codec';
import type { View, ViewFault, ViewRow } from '../ports/view-store';
import { unavailable } from '../views/faults';

export type Hash = Readonly<Record<string, string>>;

export const fieldsOf = (hash: Hash): unknown =>
  Object.fromEntries(Object.entries(hash).map(([field, value]) => [field, JSON.parse(value)]));

export const rowOf = <Row extends ViewRow>(view: View<Row>, hash: Hash): Either<ViewFault, Row> => {
  const decoded = decode(view.row, fieldsOf(hash));
  return isLeft(decoded) ? unavailable('The view is of another version; it is being rebuilt.') : right(decoded.right);
};
