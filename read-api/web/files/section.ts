/** Manifest of the pages of files. */
import type { PagePolicy, Section } from '../shell/section';
import type * as Pages from './pages';

const page = (name: keyof typeof Pages) => async () => (await import('./pages'))[name];

/** Bytes are sent to the object store and read from there; workers compute checksums and read PDF. One policy, so that links stay in one document. */
const policy: PagePolicy = { objectStore: true, workers: 'own' };

export const files: Section = {
  title: 'Files',
  group: 'services',
  scope: 'files:read',
  links: [
    { path: '/console/files', label: 'Files', key: '5', words: ['upload', 'library', 'folders', 'documents', 'pdf'] },
    {
      path: '/console/files/search',
      label: 'Search files',
      key: '6',
      words: ['find', 'documents', 'pdf', 'passages', 'retrieval'],
    },
    { path: '/console/files/ask', label: 'Ask files', key: '7', words: ['question', 'answer', 'cite'] },
    {
      path: '/console/files/groups',
      label: 'Groups',
      key: '8',
      scope: 'files:write',
      words: ['share', 'members', 'teams'],
    },
    { path: '/console/files/trash', label: 'Trash', key: '9', scope: 'files:write', words: ['deleted', 'restore'] },
  ],
  furtherLinks: [
    { path: '/console/files/usage', label: 'Storage used', words: ['files', 'quota', 'bytes', 'limit', 'usage'] },
    {
      path: '/console/files/orphans',
      label: 'Files without an owner',
      scope: 'files:admin',
      words: ['hand over', 'suspended', 'orphans'],
    },
  ],
  pages: [
    { path: '/console/files', policy, load: page('LibraryPage') },
    { path: '/console/files/folders/:folderId', policy, load: page('FolderPage') },
    { path: '/console/files/folders/:folderId/sharing', policy, load: page('FolderSharingPage') },
    { path: '/console/files/trash', policy, load: page('TrashPage') },
    { path: '/console/files/usage', policy, load: page('UsagePage') },
    { path: '/console/files/orphans', policy, load: page('OrphansPage') },
    { path: '/console/files/deletions', policy, load: page('DeletionListPage') },
    { path: '/console/files/groups', policy, load: page('GroupListPage') },
    { path: '/console/files/groups/:groupId', policy, load: page('GroupPage') },
    { path: '/console/files/search', policy, load: page('SearchPage') },
    { path: '/console/files/ask', policy, load: page('AnswerPage') },
    { path: '/console/files/:fileId', policy, load: page('FilePage') },
    { path: '/console/files/:fileId/deletion', policy, load: page('DeletionPage') },
    // A script of its own, which few visits need.
    {
      path: '/console/files/:fileId/view',
      policy,
      load: async () => (await import('./retrieval/viewer/file-view-page')).FileViewPage,
    },
  ],
};
