/** The editor's manifest: design documents that many people edit at once. */
import type { Context } from '../kernel/context';

export const context: Context = {
  name: 'editor',
  scopes: [
    { name: 'documents:read', description: 'See documents in which the holder has a role' },
    { name: 'documents:write', description: 'See and change documents in which the holder has a role' },
    { name: 'documents:admin', description: 'See which documents there are, and appoint their owners' },
  ],
  tags: [
    {
      name: 'editor',
      description: 'Design documents that many people edit at once: members, invitations, content, versions.',
      paths:
        /^\/v1\/((?:tenant\/)?documents(?:[/:]|$)|document-invitations|document-people|principals\/\{principalId\}\/documents)/,
    },
  ],
  limitGroups: [],
  // The document's owner serves its content.
  destinations: [
    {
      paths: ['/v1/documents/{documentId}/socket'],
      methods: ['GET'],
      key: 'documentId',
      service: 'editor',
      webSocket: true,
    },
  ],
  services: [
    {
      name: 'editor',
      key: 'documentId',
      title: 'editor',
      entry: 'commands/editor/main',
      appends: true,
      usesBlobs: true,
      secrets: [{ name: 'editor-client-key', variable: 'EDITOR_CLIENT_KEY' }],
    },
  ],
};
