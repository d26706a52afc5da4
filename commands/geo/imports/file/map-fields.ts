/** Makes a change of a CSV record or the properties of a feature, by a mapping of columns to fields. */
import type { FieldMapping } from '../../../../domain/geo/import/field-mapping';
import { derivedId } from '../../../kernel/deterministic-ids';

/** Values by column or property. */
export type Columns = { readonly [column: string]: unknown };

export interface MappedChange {
  readonly [field: string]: unknown;
  readonly data: { readonly [field: string]: unknown };
}

const envelopeFields = new Set(['entity_id', 'version', 'op', 'occurred_at']);
const numberFields = new Set(['version', 'lat', 'lng', 'rating', 'rating_count', 'popularity']);

const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** Where commas do not separate columns, spreadsheets of many languages write them in numbers. In others they may group thousands. */
const decimalFields = new Set(['lat', 'lng', 'rating']);
const withDecimalComma = /^[+-]?\d+,\d+$/;

/** A text that is no number stays a text, and is refused where a number is expected. */
const numberOf = (value: unknown): unknown =>
  typeof value === 'string' && plainNumber.test(value.trim()) ? Number(value) : value;

/** `Fast Food` is `fast_food`. */
const categoryOf = (value: unknown): unknown =>
  typeof value === 'string'
    ? value
        .normalize('NFKD')
        .replaceAll(/\p{M}/gu, '')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '_')
        .replaceAll(/^_+|_+$/g, '')
    : value;

const parsedJson = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

const textOf = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);

const withDecimalPoint = (field: string, value: unknown): unknown =>
  decimalFields.has(field) && typeof value === 'string' && withDecimalComma.test(value.trim())
    ? value.replace(',', '.')
    : value;

const converted = (field: string, value: unknown): unknown => {
  if (numberFields.has(field)) return numberOf(value);
  if (field === 'category') return categoryOf(value);
  if (field === 'hours') return parsedJson(value);
  if (field === 'entity_id' || field === 'address.postal_code') return textOf(value);
  return value;
};

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

interface Parts {
  readonly envelope: Record<string, unknown>;
  readonly data: Record<string, unknown>;
  readonly address: Record<string, unknown>;
  readonly attributes: Record<string, unknown>;
  readonly names: { readonly name: unknown; readonly language: string }[];
}

const place = (parts: Parts, field: string, value: unknown): void => {
  const [group = '', ...rest] = field.split('.');
  const name = rest.join('.');
  if (group === 'alternative_names') parts.names.push({ name: value, language: name });
  else if (group === 'address') parts.address[name] = value;
  else if (group === 'attributes') parts.attributes[name] = value;
  else if (envelopeFields.has(field)) parts.envelope[field] = value;
  else parts.data[field] = value;
};

const idFrom = (columns: readonly string[], values: Columns): string =>
  derivedId('place', ...columns.map((column) => JSON.stringify(values[column] ?? null)));

/** Empty columns are absent fields. */
export const mapFields = (
  { fields, entityIdFrom }: FieldMapping,
  values: Columns,
  { hasDecimalCommas = false }: { readonly hasDecimalCommas?: boolean } = {},
): MappedChange => {
  const parts: Parts = { envelope: {}, data: {}, address: {}, attributes: {}, names: [] };
  for (const [field, column] of Object.entries(fields)) {
    const own = column !== null && Object.hasOwn(values, column) ? values[column] : undefined;
    const value = hasDecimalCommas ? withDecimalPoint(field, own) : own;
    if (!isEmpty(value)) place(parts, field, converted(field, value));
  }
  const { envelope, data, address, attributes, names } = parts;
  if (entityIdFrom !== null && envelope.entity_id === undefined) envelope.entity_id = idFrom(entityIdFrom, values);
  return {
    ...envelope,
    data: {
      ...data,
      ...(Object.keys(address).length === 0 ? {} : { address }),
      ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
      ...(names.length === 0 ? {} : { alternative_names: names }),
    },
  };
};

/** `/data/address/locality` is `address.locality`. */
const fieldOf = (pointer: string): string =>
  pointer
    .replace(/^\/data(?=\/|$)/, '')
    .replace(/^\//, '')
    .replaceAll('/', '.');

/** The column that a faulty field came from, else the field. */
export const columnOf = ({ fields }: FieldMapping, pointer: string): string => {
  const field = fieldOf(pointer);
  const named = field.startsWith('alternative_names')
    ? Object.keys(fields).find((one) => one.startsWith('alternative_names'))
    : Object.keys(fields).find((one) => field === one || field.startsWith(`${one}.`));
  return (named === undefined ? undefined : fields[named]) ?? field;
};
