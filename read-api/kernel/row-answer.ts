/** Answers that are made of a view's row: which of its fields they have, and how a row becomes one. */
import type * as t from 'io-ts';
import { type FieldsOf, fieldsOf } from '../../domain/kernel/codec';
import type { ViewRow } from '../../infra/ports/views/view-store';

/** The fields of a row without tenant, revision and the omitted ones. */
export const answerFields = <Row extends ViewRow, Omitted extends keyof Row & string = never>(
  row: t.Type<Row, unknown>,
  ...omitted: readonly Omitted[]
): Omit<FieldsOf<Row>, keyof ViewRow | Omitted> => {
  const absent: readonly string[] = ['tenantId', 'revision', ...omitted];
  const present = Object.entries(fieldsOf(row)).filter(([field]) => !absent.includes(field));
  return Object.fromEntries(present) as Omit<FieldsOf<Row>, keyof ViewRow | Omitted>;
};

/** Shows of a row the fields that the answer has. A row that lacks one of them does not compile. */
export const toResponseOf = <Answer extends { readonly [field: string]: unknown }>(answer: t.Type<Answer, unknown>) => {
  const fields = Object.keys(fieldsOf(answer));
  return (row: Answer): Answer => Object.fromEntries(fields.map((field) => [field, row[field]])) as Answer;
};
