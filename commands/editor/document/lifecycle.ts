/** Routes of a document's lifecycle: create, rename, trash, restore, delete. */
import { isLeft, right } from 'fp-ts/Either';
import type { ChangeLifecycle } from '../../../domain/editor/document/commands';
import { HomeRegion, Title } from '../../../domain/editor/document/events';
import type { DocumentId } from '../../../domain/editor/ids';
import { record } from '../../../domain/kernel/codec';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { commandSubject, DocumentPath, documentRouteDefaults } from './document-route';

/** Region of documents that name none. */
export const defaultRegion = 'local';

export const createDocumentRoute = commandRoute<CommandDeps>()({
  ...documentRouteDefaults,
  method: 'post',
  path: '/v1/documents',
  operation: 'createDocument',
  summary: 'Create a document: the caller is its owner',
  body: record('NewDocument', { title: Title }, { homeRegion: HomeRegion }),
  created: true,
  prepare: ({ body, ...request }) => {
    const documentId = request.derivedId('document') as DocumentId;
    const subject = commandSubject({ ...request, params: { documentId } });
    if (isLeft(subject)) return subject;
    const { stream, by } = subject.right;
    const { title, homeRegion = defaultRegion } = body;
    return right({
      stream,
      command: { type: 'CreateDocument' as const, documentId, by, title, homeRegion, at: request.at, copiedFrom: null },
      answer: { documentId },
      fresh: true,
      location: `/v1/documents/${documentId}`,
    });
  },
});

export const renameDocumentRoute = commandRoute<CommandDeps>()({
  ...documentRouteDefaults,
  method: 'put',
  path: '/v1/documents/:documentId/title',
  operation: 'renameDocument',
  summary: 'Rename a document',
  description: 'Owners and editors.',
  params: DocumentPath,
  body: record('NewTitle', { title: Title }),
  prepare: ({ body: { title }, ...request }) => {
    const subject = commandSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, documentId, by } = subject.right;
    return right({
      stream,
      command: { type: 'RenameDocument' as const, documentId, by, title },
      answer: { documentId },
    });
  },
});

interface LifecycleRoute {
  readonly type: ChangeLifecycle['type'];
  readonly method: 'post' | 'delete';
  /** Appended to the document's path. */
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
}

const lifecycleRoute = ({ type, path, ...route }: LifecycleRoute) =>
  commandRoute<CommandDeps>()({
    ...documentRouteDefaults,
    ...route,
    path: `/v1/documents/:documentId${path}`,
    description: 'Owners only.',
    params: DocumentPath,
    prepare: (request) => {
      const subject = commandSubject(request);
      if (isLeft(subject)) return subject;
      const { stream, documentId, by } = subject.right;
      return right({ stream, command: { type, documentId, by }, answer: { documentId } });
    },
  });

export const lifecycleRoutes = [
  lifecycleRoute({
    type: 'TrashDocument',
    method: 'post',
    path: '/trash',
    operation: 'trashDocument',
    summary: 'Move a document to the trash: it becomes read-only, and only owners see it',
  }),
  lifecycleRoute({
    type: 'RestoreDocument',
    method: 'post',
    path: '/restore',
    operation: 'restoreDocument',
    summary: 'Restore a document from the trash',
  }),
  lifecycleRoute({
    type: 'DeleteDocument',
    method: 'delete',
    path: '',
    operation: 'deleteDocument',
    summary: 'Delete a document in the trash permanently: all access ends',
  }),
] as const;
