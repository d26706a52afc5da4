/** Reads a file as changes of places, whatever its format. What a line lacks comes from the import's definition. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { ImportDefinition } from '../../../../domain/geo/import/events';
import { type FieldMapping, MappedField } from '../../../../domain/geo/import/field-mapping';
import type { PlaceChangeCommand } from '../../../../domain/geo/place/decider';
import { decodeUtf8, parseJson } from '../../../../infra/server/http/untrusted-json';
import { type ChangeFault, decodeChange, swappedHint } from '../../changes/decode-change';
import { isWgs84 } from './coordinate-reference';
import { csvFields, declaredSeparator, separatorOf } from './csv-fields';
import { type FileChunks, type FileRecord, UnreadableFile } from './file-record';
import { type OpenedFile, openFile, recordSeparator } from './file-start';
import { splitFeatures } from './geojson-features';
import { type Columns, columnOf, mapFields } from './map-fields';
import { splitLines } from './split-lines';
import { splitSequence } from './split-sequence';

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
  // The sentences for bodies, with the line.
  return refused(
    decodeUtf8(bytes) === undefined ? 'UTF-8' : 'a JSON object, nested at most 64 levels, without repeated keys',
  );
};

const decodeMapped = (definition: ImportDefinition, mapping: FieldMapping, change: object): ReadChange['change'] => {
  const decoded = decodeChange(withDefaults(definition, change));
  if (!isLeft(decoded)) return decoded;
  return left(decoded.left.map((fault) => ({ ...fault, pointer: columnOf(mapping, fault.pointer) })));
};

/** Columns that are named as fields need no mapping, also beside one of others. */
const withSameNames = (mapping: FieldMapping | null, columns: readonly string[]): FieldMapping => {
  const same = columns.filter((column) => MappedField.is(column)).map((column) => [column, column]);
  return {
    fields: { ...Object.fromEntries(same), ...mapping?.fields },
    entityIdFrom: mapping?.entityIdFrom ?? null,
  };
};

const decodeLine = (definition: ImportDefinition, bytes: Buffer): ReadChange['change'] => {
  const parsed = parseRecord(bytes);
  if (isLeft(parsed)) return parsed;
  const value = parsed.right;
  // Lines of GeoJSON: GeoJSONSeq, GeoJSONL.
  if (isObject(value) && value.type === 'Feature') return decodeFeature(definition, value);
  if (definition.mapping === null || !isObject(value)) return decodeChange(withDefaults(definition, value));
  const mapping = withSameNames(definition.mapping, Object.keys(value));
  return decodeMapped(definition, mapping, mapFields(mapping, value));
};

interface Feature {
  readonly properties: Columns;
  readonly id: unknown;
  readonly coordinates: readonly unknown[];
}

const featureOf = (value: unknown): Either<readonly ChangeFault[], Feature> => {
  if (!isObject(value) || value.type !== 'Feature') return refused('a Feature');
  const { geometry, properties, id, crs } = value;
  if (!isWgs84(crs)) return refused('coordinates of WGS 84', 'crs');
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

const decodeFeature = (definition: ImportDefinition, value: unknown): ReadChange['change'] => {
  const feature = featureOf(value);
  if (isLeft(feature)) return feature;
  const { properties, id, coordinates } = feature.right;
  const mapping = withSameNames(definition.mapping, Object.keys(properties));
  const mapped = mapFields(mapping, properties);
  const own = id === undefined || id === null ? {} : { entity_id: typeof id === 'number' ? String(id) : id };
  const [lng, lat] = coordinates;
  const change = { ...own, ...mapped, data: { ...mapped.data, lng, lat } };
  const decoded = decodeChange(withDefaults(definition, change));
  if (!isLeft(decoded)) return decoded;
  const isSwapped = decoded.left.some(({ hint }) => hint === swappedHint);
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

/** A separator that a line of its own declares, as Excel reads it: `sep=;`. */
const columnsOf = (header: FileRecord, declared: string | undefined) => {
  const text = 'fault' in header ? undefined : decodeUtf8(header.bytes);
  if (text === undefined) throw new UnreadableFile('The first line does not name the columns in UTF-8.');
  const separator = declared ?? separatorOf(text);
  const columns = csvFields(text, separator)?.map((column) => column.trim());
  if (columns === undefined)
    throw new UnreadableFile('The first line does not name the columns: a quote is not closed.');
  return { columns, separator };
};

/** Without these, every line would be refused. A deletion is known by its id. */
const requireColumns = (
  { category }: ImportDefinition,
  { fields, entityIdFrom }: FieldMapping,
  columns: readonly string[],
): void => {
  const read = [...Object.values(fields).flatMap((column) => column ?? []), ...(entityIdFrom ?? [])];
  if (read.some((one) => !columns.includes(one)))
    throw new UnreadableFile('The mapping names a column that the first line does not have.');
  // Columns that are not read, as those without a name that spreadsheets write, may repeat.
  if (read.some((one) => columns.indexOf(one) !== columns.lastIndexOf(one)))
    throw new UnreadableFile('The first line names a column twice.');
  const isRead = (field: string): boolean => typeof fields[field] === 'string';
  const required = [
    ...(entityIdFrom === null ? ['entity_id'] : []),
    ...(isRead('op') ? [] : ['name', ...(category === null ? ['category'] : []), 'lat', 'lng']),
  ].filter((field) => !isRead(field));
  if (required.length > 0)
    throw new UnreadableFile(
      `The first line has no column for ${required.join(', ')}. Name the columns after the fields, or say which columns they are: under Columns in the console, as the mapping by the API.`,
    );
};

const isBlankRecord = (record: FileRecord, separator: string): boolean =>
  !('fault' in record) && record.bytes.every((byte) => byte <= 0x20 || byte === separator.charCodeAt(0));

async function* withoutBlank(records: AsyncIterable<FileRecord>, separator: string): AsyncGenerator<FileRecord> {
  for await (const record of records) if (!isBlankRecord(record, separator)) yield record;
}

async function* readCsv(
  definition: ImportDefinition,
  { chunks, hasReturnsOnly }: OpenedFile,
): AsyncGenerator<ReadChange> {
  let isRecord = (_bytes: Buffer): boolean => true;
  const records = splitLines(chunks, { hasQuotes: true, hasReturnsOnly, isRecord: (bytes) => isRecord(bytes) });
  let first = await records.next();
  const declared = first.done === true ? undefined : declaredSeparator(first.value);
  if (declared !== undefined) first = await records.next();
  if (first.done === true) throw new UnreadableFile('The file is empty.');
  const { columns, separator } = columnsOf(first.value, declared);
  isRecord = (bytes) => csvFields(bytes.toString('utf8'), separator)?.length === columns.length;
  const mapping = withSameNames(definition.mapping, columns);
  requireColumns(definition, mapping, columns);
  const hasDecimalCommas = separator !== ',';
  yield* read(withoutBlank(records, separator), (bytes) => {
    const text = decodeUtf8(bytes);
    if (text === undefined) return refused('UTF-8');
    const fields = csvFields(text, separator);
    if (fields === undefined) return refused('fields with closed quotes');
    if (fields.length !== columns.length) return refused(`${columns.length} columns`);
    const values = Object.fromEntries(columns.map((column, index) => [column, fields[index]]));
    return decodeMapped(definition, mapping, mapFields(mapping, values, { hasDecimalCommas }));
  });
}

/** What a file of another kind begins with, that would be refused line by line. */
const requireLines = (first: FileRecord): void => {
  if ('fault' in first) return;
  const text = first.bytes.toString('utf8').trim();
  if (text.startsWith('['))
    throw new UnreadableFile(
      'The file is one JSON array. JSON lines have an object in each line, without commas between.',
    );
  if (text === '{')
    throw new UnreadableFile('The file is one JSON object over many lines. JSON lines have an object in each line.');
  const parsed = parseJson(first.bytes);
  if (!isLeft(parsed) && isObject(parsed.right) && parsed.right.type === 'FeatureCollection')
    throw new UnreadableFile('The file is a GeoJSON FeatureCollection: import it as geojson.');
};

async function* linesOf({ chunks, firstLine, hasReturnsOnly }: OpenedFile): AsyncGenerator<FileRecord> {
  const isSequence = firstLine[0] === recordSeparator;
  let isFirst = true;
  for await (const record of isSequence
    ? splitSequence(chunks)
    : splitLines(chunks, { hasQuotes: false, hasReturnsOnly })) {
    if (isFirst) requireLines(record);
    isFirst = false;
    yield record;
  }
  if (isFirst) throw new UnreadableFile('The file is empty.');
}

/** Features that are no collection: a text sequence (RFC 8142), or a feature in each line, as ogr2ogr and tippecanoe write them. */
const isFeatureSequence = ({ firstLine }: OpenedFile): boolean => {
  if (firstLine[0] === recordSeparator) return true;
  const parsed = parseJson(firstLine);
  return !isLeft(parsed) && isObject(parsed.right) && parsed.right.type === 'Feature';
};

async function* readOpened(definition: ImportDefinition, file: OpenedFile): AsyncGenerator<ReadChange> {
  switch (definition.format) {
    case 'jsonl':
      return yield* read(linesOf(file), (bytes) => decodeLine(definition, bytes));
    case 'csv':
      return yield* readCsv(definition, file);
    case 'geojson': {
      const features = isFeatureSequence(file) ? linesOf(file) : splitFeatures(file.chunks);
      return yield* read(features, (bytes) => {
        const parsed = parseRecord(bytes);
        return isLeft(parsed) ? parsed : decodeFeature(definition, parsed.right);
      });
    }
  }
}

/** Throws `UnreadableFile` where the rest cannot be read. */
export async function* readChanges(definition: ImportDefinition, chunks: FileChunks): AsyncGenerator<ReadChange> {
  yield* readOpened(definition, await openFile(chunks, { hasQuotes: definition.format === 'csv' }));
}
