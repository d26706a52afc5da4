/** One file of places, from its upload to its report. */
import * as t from 'io-ts';
import { integer, listOf, nameText, nullable, oneOf, record, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { ImportId } from '../ids';
import { Attribution, Category, SourceName, SourceVersion } from '../place/place';
import { FieldMapping } from './field-mapping';

export const maxFileBytes = 2 ** 30;

export const FileFormat = oneOf('FileFormat', ['jsonl', 'csv', 'geojson']);
export type FileFormat = t.TypeOf<typeof FileFormat>;

/** Defaults for what lines of the file lack. */
const definition = {
  fileName: nameText('FileName', { maxLength: 200, examples: ['shops.csv'] }),
  format: FileFormat,
  size: integer(1, maxFileBytes),
  source: SourceName,
  /** Of every line without a version: that of the whole file. */
  sourceVersion: SourceVersion,
  category: nullable(Category),
  attribution: nullable(Attribution),
  synthetic: t.boolean,
  /** Null: columns and properties have the names of the fields. */
  mapping: nullable(FieldMapping),
};
export const ImportDefinition = record('ImportDefinition', definition);
export type ImportDefinition = t.TypeOf<typeof ImportDefinition>;

const Lines = integer(0);
/** Of all lines so far. */
export const ImportProgress = record('ImportProgress', {
  /** Number of the last line or feature that was read. */
  lines: Lines,
  recorded: Lines,
  unchanged: Lines,
  outdated: Lines,
  refused: Lines,
  /** Share of the file, 0 to 1000. */
  permille: integer(0, 1_000),
});
export type ImportProgress = t.TypeOf<typeof ImportProgress>;

/** Of every import the first ones are listed; all are counted. */
export const mostRefusals = 1_000;
/** Why a line was refused. Never its content. */
export const Refusal = record('Refusal', {
  /** From 1: lines of JSON lines and CSV, features of GeoJSON. */
  line: integer(1),
  /** The column or property, else a JSON pointer; empty for the whole line. */
  field: text('RefusedField', { minLength: 0, maxLength: 200 }),
  expected: text('ExpectedContent', { maxLength: 300 }),
  hint: nullable(text('RefusalHint', { maxLength: 300 })),
});
export type Refusal = t.TypeOf<typeof Refusal>;

const Reason = text('ImportFailure', { maxLength: 300, examples: ['The file is not UTF-8.'] });

export const imports = aggregate(
  { context: 'geo', name: 'import', id: ImportId },
  {
    ImportCreated: { v: 1, data: { importId: ImportId, ...definition } },
    /** The file is uploaded. */
    ImportStarted: {
      v: 1,
      data: {
        importId: ImportId,
        /** The object store's, so that a resumed import reads the same bytes. */
        etag: text('FileEtag', { maxLength: 200 }),
      },
    },
    /** The lines up to here took effect: a killed import goes on after them. */
    ImportAdvanced: {
      v: 1,
      data: { importId: ImportId, progress: ImportProgress, refusals: listOf('NewRefusals', Refusal, mostRefusals) },
    },
    ImportCompleted: { v: 1, data: { importId: ImportId } },
    /** The rest of the file could not be read. What was recorded stays. */
    ImportFailed: { v: 1, data: { importId: ImportId, reason: Reason } },
    ImportCancelled: { v: 1, data: { importId: ImportId } },
  },
);
export type ImportEvent = typeof imports.Event;

export const { stream: importStream } = imports;
