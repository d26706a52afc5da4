/** Routes of version names: name a version, remove its name. */
import { isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { VersionName } from '../../../domain/editor/document/events';
import { DocumentId } from '../../../domain/editor/ids';
import { described, record } from '../../../domain/kernel/codec';
import { problemOf } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { commandSubject, type DocumentDeps, documentRouteDefaults } from './document-route';
import { readDocumentHeadVersion } from './head-version';

const isVersion = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value);

/** In a path. */
const Version = described(
  new t.Type<number, string, unknown>(
    'a version',
    isVersion,
    (value, context) =>
      typeof value === 'string' && /^\d{1,15}$/.test(value) ? t.success(Number(value)) : t.failure(value, context),
    String,
  ),
  { type: 'integer', minimum: 0 },
);

const VersionPath = record('VersionPath', { documentId: DocumentId, version: Version });
const path = '/v1/documents/:documentId/versions/:version/name';

export const nameVersionRoute = commandRoute<DocumentDeps>()({
  ...documentRouteDefaults,
  method: 'put',
  path,
  operation: 'nameDocumentVersion',
  summary: 'Name or rename a version of a document',
  description: 'Owners and editors.',
  params: VersionPath,
  body: record('NewVersionName', { name: VersionName }),
  prepare: async ({ body: { name }, ...request }, { pages }) => {
    const subject = commandSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, documentId, by } = subject.right;
    const head = await readDocumentHeadVersion(pages, request.tenantId, documentId);
    if (isLeft(head)) return left(problemOf(head.left, {}));
    const fields = { version: request.params.version, name, headVersion: head.right };
    return right({
      stream,
      command: { type: 'NameVersion' as const, documentId, by, ...fields },
      answer: { documentId },
    });
  },
});

export const removeVersionNameRoute = commandRoute<CommandDeps>()({
  ...documentRouteDefaults,
  method: 'delete',
  path,
  operation: 'removeDocumentVersionName',
  summary: 'Remove the name of a version of a document',
  description: 'Owners and editors. The version itself stays.',
  params: VersionPath,
  prepare: (request) => {
    const subject = commandSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, documentId, by } = subject.right;
    const { version } = request.params;
    return right({
      stream,
      command: { type: 'RemoveVersionName' as const, documentId, by, version },
      answer: { documentId },
    });
  },
});
