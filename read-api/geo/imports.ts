/** GET /v1/places/imports: imports, one import, and the lines that were refused. */
import { ImportId } from '../../domain/geo/ids';
import { fieldsOf, integer, record } from '../../domain/kernel/codec';
import { ImportRefusalRow, importRefusalsView, mostListedRefusals } from '../../projections/geo/import-refusals/view';
import { ImportRow, ImportStatus, importsView } from '../../projections/geo/imports/view';
import { definedFields } from '../kernel/defined-fields';
import { IdList, idsIn } from '../kernel/id-list';
import { oneRoute, pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';

const scopes = ['places:write'];
const ImportPath = record('ImportPath', { importId: ImportId });

const { importId, definition, status, reason, createdAt, updatedAt, progress } = answerFields(ImportRow);
const { sourceVersion, ...defined } = fieldsOf(definition);
const { permille, ...counts } = fieldsOf(progress);
const PlaceImport = record('PlaceImport', {
  importId,
  ...defined,
  /** Of lines without a version. */
  version: sourceVersion,
  status,
  /** Why it failed. */
  reason,
  ...counts,
  /** How many of the refused lines are listed: the first ones. */
  refusedListed: integer(0, mostListedRefusals),
  /** How much of the file is read, 0 to 1000. */
  permille,
  createdAt,
  updatedAt,
});

const show = (row: ImportRow) => {
  const { sourceVersion: version, ...rest } = row.definition;
  const { importId, status, reason, createdAt, updatedAt, progress } = row;
  const refusedListed = Math.min(progress.refused, mostListedRefusals);
  return { importId, ...rest, version, status, reason, ...progress, refusedListed, createdAt, updatedAt };
};

export const getImport = oneRoute({
  path: '/v1/places/imports/:importId',
  operation: 'getPlaceImport',
  summary: 'Get an import of places, and how far it is',
  scopes,
  params: ImportPath,
  item: PlaceImport,
  query: ({ importId }) => ({ view: importsView, key: { importId }, missing: 'There is no such import.', show }),
});

export const listImports = pageRoute({
  path: '/v1/places/imports',
  operation: 'listPlaceImports',
  summary: 'List imports of places, newest first',
  scopes,
  params: record('NoParams', {}),
  item: PlaceImport,
  view: importsView,
  filters: { status: ImportStatus, importIds: IdList },
  order: [
    { field: 'createdAt', direction: 'desc' },
    { field: 'importId', direction: 'asc' },
  ],
  rows: (_params, { status, importIds }) => ({ where: definedFields({ status, importId: idsIn(importIds) }) }),
  show,
});

const ImportRefusal = record('ImportRefusal', answerFields(ImportRefusalRow, 'importId'));

export const listImportRefusals = pageRoute({
  path: '/v1/places/imports/:importId/refusals',
  operation: 'listPlaceImportRefusals',
  summary: 'List the lines of an import that were refused: the first thousand',
  description:
    'The import has the number of refused lines (`refused`) and how many of them are listed (`refusedListed`).',
  scopes,
  params: ImportPath,
  item: ImportRefusal,
  view: importRefusalsView,
  filters: {},
  order: [{ field: 'line', direction: 'asc' }],
  rows: ({ importId }) => ({ where: { importId } }),
  show: toResponseOf(ImportRefusal),
});
