/** Reads a file as changes of places, whatever its format. What a line does not say comes from the import's definition. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { ImportDefinition } from '../../../../domain/geo/import/events';
import { type FieldMapping, MappedField } from '../../../../domain/geo/import/field-mapping';
import type { PlaceChangeCommand } from '../../../../domain/geo/place/decider';
import { decodeUtf8, parseJson } from '../../../../infra/http/untrusted-json';
import { type ChangeFault, decodeChange } from '../../changes/decode-change';
import { csvFields, separatorOf } from './csv-fields';
import { type FileChunks, type FileRecord, UnreadableFile } from './file-record';
import { splitFeatures } from './geojson-features';
import { type Columns, columnOf, mapFields } from './map-fields';
import { splitLines } from './split-lines';

export interface ReadChange {
  readonly line: number;
  /** Faults name columns, properties or pointers. */
  readonly change: Either<readonly ChangeFault[], PlaceChangeCommand>;
}

type Faulty = Either<readonly ChangeFault[], never>;
const refused = (expected: string, pointer = ''): Faulty => left([{ pointer, expected }]);

const isObject = (value: unknown): value is Columns =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withDefaults = (definition: ImportDefinition, value: unknown): unknown => {
  if (!isObject(value)) return value;
  const { source, sourceVersion, category, attribution, synthetic } = definition;
  const data = isObject(value.data)
    ? {
        ...(category === null ? {} : { category }),
        ...(attribution === null ? {} : { attribution }),
        ...(synthetic ? { synthetic } : {}),
        ...value.data,
      }
    : value.data;
  return { source, version: sourceVersion, op: 'update', ...value, data };
};

const parseRecord = (bytes: Buffer): Either<readonly ChangeFault[], unknown> => {
  const parsed = parseJson(bytes);
  if (!isLeft(parsed)) return parsed;
  // The sentences of bodies, told of a line.
  return refused(
    decodeUtf8(bytes) === undefined ? 'UTF-8' : 'a JSON object, nested at most 64 levels, without repeated keys',
  );
};

const decodeMapped = (definition: ImportDefinition, mapping: FieldMapping, change: object): ReadChange['change'] => {
  const decoded = decodeChange(withDefaults(definition, change));
  if (!isLeft(decoded)) return decoded;
  return left(decoded.left.map((fault) => ({ ...fault, pointer: columnOf(mapping, fault.pointer) })));
};

const decodeLine = (definition: ImportDefinition, bytes: Buffer): ReadChange['change'] => {
  const parsed = parseRecord(bytes);
  if (isLeft(parsed)) return parsed;
  const { mapping } = definition;
  if (mapping === null || !isObject(parsed.right)) return decodeChange(withDefaults(definition, parsed.right));
  return decodeMapped(definition, mapping, mapFields(mapping, parsed.right));
};

/** Without a mapping, columns are named as the fields. */
const sameNames = (columns: readonly string[]): FieldMapping => ({
  fields: Object.fromEntries(columns.filter((column) => MappedField.is(column)).map((column) => [column, column])),
  entityIdFrom: null,
});
interface Feature {
  readonly properties: Columns;
  readonly id: unknown;
  readonly coordinates: readonly unknown[];
}

const featureOf = (value: unknown): Either<readonly ChangeFault[], Feature> => {
  if (!isObject(value) || value.type !== 'Feature') return refused('a Feature');
  const { geometry, properties, id } = value;
  if (!isObject(geometry) || geometry.type !== 'Point') return refused('a Point', 'geometry');
  if (!Array.isArray(geometry.coordinates)) return refused('a longitude and a latitude', 'geometry.coordinates');
  return right({ properties: isObject(properties) ? properties : {}, id, coordinates: geometry.coordinates });
};

const coordinateColumns = { '/data/lat': 'geometry.coordinates[1]', '/data/lng': 'geometry.coordinates[0]' } as const;
const featureColumn = (mapping: FieldMapping, pointer: string): string =>
  pointer in coordinateColumns
    ? coordinateColumns[pointer as keyof typeof coordinateColumns]
    : columnOf(mapping, pointer);
const swapped = 'GeoJSON has the longitude first.';

const decodeFeature = (definition: ImportDefinition, bytes: Buffer): ReadChange['change'] => {
  const parsed = parseRecord(bytes);
  const feature = isLeft(parsed) ? parsed : featureOf(parsed.right);
  if (isLeft(feature)) return feature;
  const { properties, id, coordinates } = feature.right;
  const mapping = definition.mapping ?? sameNames(Object.keys(properties));
  const mapped = mapFields(mapping, properties);
  const own = id === undefined || id === null ? {} : { entity_id: typeof id === 'number' ? String(id) : id };
  const [lng, lat] = coordinates;
  const change = { ...own, ...mapped, data: { ...mapped.data, lng, lat } };
  const decoded = decodeChange(withDefaults(definition, change));
  if (!isLeft(decoded)) return decoded;
  const isSwapped = decoded.left.some(({ hint }) => hint === 'lat and lng look swapped.');
  return left(
    decoded.left.map((fault) => ({
      ...fault,
      ...(isSwapped && fault.hint !== undefined ? { hint: swapped } : {}),
      pointer: featureColumn(mapping, fault.pointer),
    })),
  );
};

async function* read(
  records: AsyncIterable<FileRecord>,
  decode: (bytes: Buffer) => ReadChange['change'],
): AsyncGenerator<ReadChange> {
  for await (const record of records) {
    const { line } = record;
    yield { line, change: 'fault' in record ? refused(record.fault) : decode(record.bytes) };
  }
}

const columnsOf = (header: FileRecord): { readonly columns: readonly string[]; readonly separator: string } => {
  const text = 'fault' in header ? undefined : decodeUtf8(header.bytes);
  if (text === undefined) throw new UnreadableFile('The first line does not name the columns in UTF-8.');
  const separator = separatorOf(text);
  const columns = csvFields(text, separator)?.map((column) => column.trim());
  if (columns === undefined)
    throw new UnreadableFile('The first line does not name the columns: a quote is not closed.');
  if (new Set(columns).size < columns.length) throw new UnreadableFile('The first line names a column twice.');
  return { columns, separator };
};

async function* readCsv(definition: ImportDefinition, chunks: FileChunks): AsyncGenerator<ReadChange> {
  let isRecord = (_bytes: Buffer): boolean => true;
  const records = splitLines(chunks, { hasQuotes: true, isRecord: (bytes) => isRecord(bytes) });
  const first = await records.next();
  if (first.done === true) throw new UnreadableFile('The file is empty.');
  const { columns, separator } = columnsOf(first.value);
  isRecord = (bytes) => csvFields(bytes.toString('utf8'), separator)?.length === columns.length;
  const mapping = definition.mapping ?? sameNames(columns);
  const missing = [...Object.values(mapping.fields), ...(mapping.entityIdFrom ?? [])].find(
    (one) => !columns.includes(one),
  );
  if (missing !== undefined) throw new UnreadableFile('The mapping names a column that the first line does not have.');
  yield* read(records, (bytes) => {
    const text = decodeUtf8(bytes);
    if (text === undefined) return refused('UTF-8');
    const fields = csvFields(text, separator);
    if (fields === undefined) return refused('fields with closed quotes');
    if (fields.length !== columns.length) return refused(`${columns.length} columns`);
    const values = Object.fromEntries(columns.map((column, index) => [column, fields[index]]));
    return decodeMapped(definition, mapping, mapFields(mapping, values));
  });
}

/** Throws `UnreadableFile` where the rest cannot be read. */
export const readChanges = (definition: ImportDefinition, chunks: FileChunks): AsyncIterable<ReadChange> => {
  switch (definition.format) {
    case 'jsonl':
      return read(splitLines(chunks, { hasQuotes: false }), (bytes) => decodeLine(definition, bytes));
    case 'csv':
      return readCsv(definition, chunks);
    case 'geojson':
      return read(splitFeatures(chunks), (bytes) => decodeFeature(definition, bytes));
  }
};
