/** Manifest of the editor's pages. */
import type { PagePolicy, Section } from '../shell/section';
import type * as Pages from './pages';

const page = (name: keyof typeof Pages) => async () => (await import('./pages'))[name];

/** Content of versions is fetched from the object store. The others have their policy, so that links among them stay in one document. */
const policy: PagePolicy = { objectStore: true };

export const editor: Section = {
  title: 'Documents',
  group: 'services',
  scope: 'documents:read',
  links: [
    {
      path: '/console/services/documents',
      label: 'Documents',
      key: 'f',
      words: ['drawings', 'designs', 'editor', 'invitations', 'invite'],
    },
    { path: '/console/documents', label: 'All documents', key: 'j', words: ['share', 'trash'] },
  ],
  pages: [
    // A script of its own: it has charts.
    {
      path: '/console/services/documents',
      policy,
      load: async () => (await import('./overview-page')).DocumentsOverviewPage,
    },
    { path: '/console/documents', policy, load: page('DocumentListPage') },
    { path: '/console/documents/:documentId', policy, load: page('DocumentPage') },
    {
      path: '/console/documents/:documentId/versions/:version',
      policy,
      load: page('VersionPage'),
    },
  ],
};
