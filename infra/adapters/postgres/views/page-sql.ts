/** The SQL of one page: filters, bounds, and the place after the last row of the page before. */
import type { QueryConfig } from 'pg';
import type { PageRequest, Scalar, TableView } from '../../../ports/views/view-store';
import { columnNames, everyTenant, name, publicName, sqlType } from '../sql';

interface Terms {
  readonly values: unknown[];
  readonly typeOf: (field: string) => string;
}

const typed = ({ values, typeOf }: Terms, field: string, value: unknown): string => {
  values.push(value);
  return `$${values.length}::${typeOf(field)}`;
};

const oneOf = (terms: Terms, field: string, wanted: readonly Scalar[]): string => {
  terms.values.push(wanted);
  const type = terms.typeOf(field);
  // Of an array any element may be one of them.
  if (type === 'text[]') return `${name(field)} && $${terms.values.length}::text[]`;
  return `${name(field)} = any($${terms.values.length}::${type}[])`;
};

const equal = (terms: Terms, field: string, wanted: Scalar | readonly Scalar[]): string => {
  if (Array.isArray(wanted)) return oneOf(terms, field, wanted);
  if (wanted === null) return `${name(field)} is null`;
  if (terms.typeOf(field) !== 'text[]') return `${name(field)} = ${typed(terms, field, wanted)}`;
  terms.values.push([wanted]);
  return `${name(field)} @> $${terms.values.length}::text[]`;
};

const bounds = (terms: Terms, { between }: PageRequest): readonly string[] => {
  if (between === undefined) return [];
  const { field, from, to } = between;
  return [
    ...(from === undefined ? [] : [`${name(field)} >= ${typed(terms, field, from)}`]),
    ...(to === undefined ? [] : [`${name(field)} < ${typed(terms, field, to)}`]),
  ];
};

/** In one direction the rows compare as a whole, which an index answers; else field by field. */
const beyond = (terms: Terms, { order, after }: PageRequest): readonly string[] => {
  if (after === undefined) return [];
  const parameters = order.map(({ field }, index) => typed(terms, field, after[index]));
  const operator = (direction: 'asc' | 'desc' | undefined): string => (direction === 'desc' ? '<' : '>');
  const fields = order.map(({ field }) => name(field));
  if (order.every(({ direction }) => direction === order[0]?.direction))
    return [`(${fields.join(', ')}) ${operator(order[0]?.direction)} (${parameters.join(', ')})`];
  const alternatives = order.map(({ direction }, index) => {
    const equals = fields.slice(0, index).map((field, earlier) => `${field} = ${parameters[earlier]}`);
    return `(${[...equals, `${fields[index]} ${operator(direction)} ${parameters[index]}`].join(' and ')})`;
  });
  return [`(${alternatives.join(' or ')})`];
};

const having = (terms: Terms, { all }: PageRequest): readonly string[] => {
  if (all === undefined) return [];
  terms.values.push(all.values);
  return [`${name(all.field)} @> $${terms.values.length}::text[]`];
};

/** By position rather than by pattern: nothing in the text means anything else. */
const containing = (terms: Terms, { contains }: PageRequest): readonly string[] =>
  contains === undefined ? [] : [`strpos(${name(contains.field)}, ${typed(terms, contains.field, contains.text)}) > 0`];

export const pageQuery = (view: TableView, tenantId: string, request: PageRequest): QueryConfig => {
  const columns = view.columns as Record<string, Parameters<typeof sqlType>[0] | undefined>;
  const typeOf = (field: string): string => sqlType(columns[field] ?? 'text');
  const isAll = tenantId === everyTenant && view.operators === true;
  const terms: Terms = { values: isAll ? [] : [tenantId], typeOf };
  const wanted = Object.entries(request.where) as [string, Scalar | readonly Scalar[]][];
  const where = [
    ...(isAll ? [] : ['"tenantId" = $1']),
    ...wanted.map(([field, value]) => equal(terms, field, value)),
    ...bounds(terms, request),
    ...having(terms, request),
    ...containing(terms, request),
    ...beyond(terms, request),
  ];
  const order = request.order.map(({ field, direction }) => `${name(field)} ${direction}`).join(', ');
  terms.values.push(request.limit);
  return {
    text: `select ${columnNames(view)} from ${publicName(view)} where ${where.join(' and ') || 'true'} order by ${order} limit $${terms.values.length}`,
    values: terms.values,
  };
};
