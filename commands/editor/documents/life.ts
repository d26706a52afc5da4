/** Documents: created, renamed, put into the trash and out of it, deleted for good. */
import { isLeft, right } from 'fp-ts/Either';
import type { DisposeDocument } from '../../../domain/editor/document/commands';
import { HomeRegion, Title } from '../../../domain/editor/document/events';
import type { DocumentId } from '../../../domain/editor/ids';
import { record } from '../../../domain/kernel/codec';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { about, common, DocumentPath } from './common';

/** Of documents that say nothing of it. */
export const usualRegion = 'local';

export const createDocumentRoute = commandRoute<CommandDeps>()({
  ...common,
  method: 'post',
  path: '/v1/documents',
  operation: 'createDocument',
  summary: 'Create a document: the caller is its owner',
  body: record('NewDocument', { title: Title }, { homeRegion: HomeRegion }),
  created: true,
  prepare: ({ body, ...asked }) => {
    const documentId = asked.derivedId('document') as DocumentId;
    const named = about({ ...asked, params: { documentId } });
    if (isLeft(named)) return named;
    const { stream, by } = named.right;
    const { title, homeRegion = usualRegion } = body;
    return right({
      stream,
      command: { type: 'CreateDocument' as const, documentId, by, title, homeRegion, at: asked.at, copiedFrom: null },
      answer: { documentId },
      fresh: true,
      location: `/v1/documents/${documentId}`,
    });
  },
});

export const renameDocumentRoute = commandRoute<CommandDeps>()({
  ...common,
  method: 'put',
  path: '/v1/documents/:documentId/title',
  operation: 'renameDocument',
  summary: 'Rename a document',
  description: 'Owners and editors.',
  params: DocumentPath,
  body: record('NewTitle', { title: Title }),
  prepare: ({ body: { title }, ...asked }) => {
    const named = about(asked);
    if (isLeft(named)) return named;
    const { stream, documentId, by } = named.right;
    return right({
      stream,
      command: { type: 'RenameDocument' as const, documentId, by, title },
      answer: { documentId },
    });
  },
});

interface Disposal {
  readonly type: DisposeDocument['type'];
  readonly method: 'post' | 'delete';
  /** After the document's own path. */
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
}

const disposalRoute = ({ type, path, ...said }: Disposal) =>
  commandRoute<CommandDeps>()({
    ...common,
    ...said,
    path: `/v1/documents/:documentId${path}`,
    description: 'Owners only.',
    params: DocumentPath,
    prepare: (asked) => {
      const named = about(asked);
      if (isLeft(named)) return named;
      const { stream, documentId, by } = named.right;
      return right({ stream, command: { type, documentId, by }, answer: { documentId } });
    },
  });

export const disposalRoutes = [
  disposalRoute({
    ...{ type: 'TrashDocument', method: 'post', path: '/trash', operation: 'trashDocument' },
    summary: 'Put a document into the trash: nobody can change it, and only owners see it',
  }),
  disposalRoute({
    ...{ type: 'RestoreDocument', method: 'post', path: '/restore', operation: 'restoreDocument' },
    summary: 'Take a document out of the trash',
  }),
  disposalRoute({
    ...{ type: 'DeleteDocument', method: 'delete', path: '', operation: 'deleteDocument' },
    summary: 'Delete a document in the trash for good: nobody has access any more',
  }),
] as const;
