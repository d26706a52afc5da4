/** Routes of imports: one is created, its file uploaded by a signed request, then it is started. */
import { isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { ImportId } from '../../../domain/geo/ids';
import { placeImport } from '../../../domain/geo/import/decider';
import { FileFormat, ImportDefinition, maxFileBytes } from '../../../domain/geo/import/events';
import { FieldMapping } from '../../../domain/geo/import/field-mapping';
import { Attribution, Category, SourceName, SourceVersion } from '../../../domain/geo/place/place';
import { importStream } from '../../../domain/geo/streams';
import { fieldsOf, Instant, nullable, oneOf, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { problem, problemOf } from '../../../infra/http/problem';
import { route } from '../../../infra/http/routing/route';
import type { BlobStore } from '../../../infra/ports/blob-store';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import { loadStream } from '../../kernel/load-stream';
import { fileProblems, importProblems } from '../problems';
import { fileKey } from './file-key';

export interface ImportRoutesDeps extends CommandDeps {
  readonly blobs: Pick<BlobStore, 'signPut' | 'head'>;
}

const scopes = ['places:write'];
const ImportPath = record('ImportPath', { importId: ImportId });
const ImportAnswer = record('ImportAnswer', { importId: ImportId });

const { fileName, size } = fieldsOf(ImportDefinition);

/** An upload at a megabit per second takes 2.4 hours for a gibibyte. */
const uploadSeconds = 3 * 3_600;
const contentType = 'application/octet-stream';

export const createImport = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/v1/places/imports',
  operation: 'createPlaceImport',
  summary: 'Create an import of a file of places',
  description: `JSON lines hold changes as \`applyPlaceChanges\` takes them; CSV files name their columns in the first line; GeoJSON files are collections of points. \`mapping\` says which column or property each field comes from. Files have at most ${maxFileBytes} bytes. \`version\` is that of lines without one: left out, the milliseconds since 1970 at which the import is created.`,
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
  problems: importProblems,
  prepare: ({ body, tenantId, at, derivedId }) => {
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

export const signImportFile = route<ImportRoutesDeps>()({
  method: 'post',
  path: '/v1/places/imports/:importId/upload',
  operation: 'signPlaceImportFile',
  summary: 'Sign a request that uploads the file of an import',
  description: 'It takes exactly the size that the import was created with, within three hours.',
  access: { scopes },
  sensitive: false,
  params: ImportPath,
  answers: {
    200: {
      description: 'Send the file as the body of this request, with these headers and no others of the API.',
      body: record('SignedUpload', {
        method: oneOf('UploadMethod', ['PUT']),
        url: t.string,
        headers: t.record(t.string, t.string),
        expiresAt: Instant,
      }),
    },
  },
  problems: { ...importProblems, ...fileProblems },
  handle: async ({ store, blobs }, { params: { importId }, identity: { tenantId } }) => {
    if (!TenantId.is(tenantId)) return problem('forbidden', 'The token is of no known tenant.');
    const state = await loadStream({ store }, placeImport, importStream(tenantId, importId));
    if (isLeft(state)) return problemOf(state.left, {});
    if (state.right.kind === 'none') return problem('not-found', 'There is no such import.');
    if (state.right.kind !== 'created')
      return problemOf(
        { kind: 'rejection', code: 'import-ended', detail: 'The file is uploaded already.' },
        importProblems,
      );
    const { size } = state.right.definition;
    const signed = await blobs.signPut({ key: fileKey(tenantId, importId), size, contentType, seconds: uploadSeconds });
    return isLeft(signed) ? problemOf(signed.left, fileProblems) : { status: 200, body: signed.right };
  },
});

export const startImport = commandRoute<ImportRoutesDeps>()({
  method: 'post',
  path: '/v1/places/imports/:importId/start',
  operation: 'startPlaceImport',
  summary: 'Start an import whose file is uploaded',
  scopes,
  sensitive: false,
  params: ImportPath,
  answer: ImportAnswer,
  decider: placeImport,
  problems: { ...importProblems },
  prepare: async ({ params: { importId }, tenantId }, { blobs }) => {
    const stored = await blobs.head(fileKey(tenantId, importId));
    if (isLeft(stored)) return left(problemOf(stored.left, fileProblems));
    return right({
      stream: importStream(tenantId, importId),
      command: { type: 'StartImport' as const, importId, etag: stored.right.etag },
      answer: { importId },
    });
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
  problems: importProblems,
  prepare: ({ params: { importId }, tenantId }) =>
    right({
      stream: importStream(tenantId, importId),
      command: { type: 'CancelImport' as const, importId },
      answer: { importId },
    }),
});
