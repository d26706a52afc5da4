/** Routes of imports: one is created, its file uploaded (`upload/`), then it is started, and may be cancelled. */
import { isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { ImportId } from '../../../domain/geo/ids';
import { placeImport } from '../../../domain/geo/import/decider';
import { FileFormat, ImportDefinition, importStream, maxFileBytes } from '../../../domain/geo/import/events';
import { FieldMapping } from '../../../domain/geo/import/field-mapping';
import { Attribution, Category, SourceName, SourceVersion } from '../../../domain/geo/place/place';
import { fieldsOf, nullable, record } from '../../../domain/kernel/codec';
import { problemOf } from '../../../infra/server/http/problem';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import { completeFile, type FileBlobs } from '../../kernel/uploads/file-upload';
import { fileProblems, importProblems, sourceProblems } from '../problems';
import { requireSource } from '../sources/source-access';
import { loadOwnImport } from './own-import';
import { fileKey } from './upload/file-key';

export interface ImportRoutesDeps extends CommandDeps {
  readonly blobs: FileBlobs;
}

const scopes = ['places:write'];
const ImportPath = record('ImportPath', { importId: ImportId });
const ImportAnswer = record('ImportAnswer', { importId: ImportId });

const { fileName, size } = fieldsOf(ImportDefinition);

export const createImport = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/v1/places/imports',
  operation: 'createPlaceImport',
  summary: 'Create an import of a file of places',
  description: `JSON lines hold changes as \`applyPlaceChanges\` takes them; CSV files name their columns in the first line; GeoJSON files are collections or sequences of points. \`mapping\` says which column or property each field comes from; those that are named as the fields need no entry, and null leaves a field out. Files have at most ${maxFileBytes} bytes. \`version\` is that of lines without one: left out, the milliseconds since 1970 at which the import is created.`,
  scopes,
  sensitive: false,
  created: true,
  body: record(
    'NewImport',
    { fileName, format: FileFormat, size, source: SourceName },
    {
      version: SourceVersion,
      category: nullable(Category),
      attribution: nullable(Attribution),
      synthetic: t.boolean,
      mapping: nullable(
        record(
          'NewMapping',
          { fields: fieldsOf(FieldMapping).fields },
          { entityIdFrom: fieldsOf(FieldMapping).entityIdFrom },
        ),
      ),
    },
  ),
  answer: ImportAnswer,
  decider: placeImport,
  problems: { ...importProblems, ...sourceProblems },
  prepare: async ({ body, tenantId, at, identity, derivedId }, deps) => {
    const permitted = await requireSource(deps, { tenant: tenantId, principalId: identity.principalId }, body.source);
    if (isLeft(permitted)) return permitted;
    const importId = derivedId('import') as ImportId;
    const {
      version = Date.parse(at),
      category = null,
      attribution = null,
      synthetic = false,
      mapping = null,
      ...rest
    } = body;
    const definition: ImportDefinition = {
      ...rest,
      sourceVersion: version,
      category,
      attribution,
      synthetic,
      mapping: mapping === null ? null : { fields: mapping.fields, entityIdFrom: mapping.entityIdFrom ?? null },
    };
    return right({
      stream: importStream(tenantId, importId),
      command: { type: 'CreateImport' as const, importId, definition },
      answer: { importId },
      location: `/v1/places/imports/${importId}`,
      fresh: true,
    });
  },
});

export const startImport = commandRoute<ImportRoutesDeps>()({
  method: 'post',
  path: '/v1/places/imports/:importId/start',
  operation: 'startPlaceImport',
  summary: 'Start an import whose file is uploaded',
  description:
    'Completes a file that was uploaded in parts. If parts are missing, the answer is 409 `file-incomplete` with their number.',
  scopes,
  sensitive: false,
  params: ImportPath,
  answer: ImportAnswer,
  decider: placeImport,
  problems: { ...importProblems, ...fileProblems, ...sourceProblems },
  prepare: async ({ params: { importId }, tenantId, identity }, { store, warm, blobs }) => {
    const stream = importStream(tenantId, importId);
    const prepared = (etag: string) =>
      right({ stream, command: { type: 'StartImport' as const, importId, etag }, answer: { importId } });
    const writer = { tenant: tenantId, principalId: identity.principalId };
    const state = await loadOwnImport({ store, ...(warm === undefined ? {} : { warm }) }, writer, importId);
    if (isLeft(state)) return state;
    // The file of one that was started may be gone; the etag is not looked at.
    if (state.right.kind !== 'created') return prepared('');
    const { size } = state.right.definition;
    const completed = await completeFile(blobs, { key: fileKey(tenantId, importId), size });
    return isLeft(completed) ? left(problemOf(completed.left, fileProblems)) : prepared(completed.right);
  },
});

export const cancelImport = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/v1/places/imports/:importId/cancel',
  operation: 'cancelPlaceImport',
  summary: 'Cancel an import',
  description: 'Lines that were recorded stay.',
  scopes,
  sensitive: false,
  params: ImportPath,
  answer: ImportAnswer,
  decider: placeImport,
  problems: { ...importProblems, ...sourceProblems },
  prepare: async ({ params: { importId }, tenantId, identity }, deps) => {
    const state = await loadOwnImport(deps, { tenant: tenantId, principalId: identity.principalId }, importId);
    if (isLeft(state)) return state;
    return right({
      stream: importStream(tenantId, importId),
      command: { type: 'CancelImport' as const, importId },
      answer: { importId },
    });
  },
});
