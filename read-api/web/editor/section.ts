/** Manifest of the editor's pages. */
import type { Section } from '../shell/section';
import type * as Pages from './pages';

const page = (name: keyof typeof Pages) => async () => (await import('./pages'))[name];

export const editor: Section = {
  title: 'Documents',
  group: 'services',
  scope: 'documents:read',
  links: [
    { path: '/console/services/documents', label: 'Documents', key: 'f' },
    { path: '/console/documents', label: 'All documents', key: 'j' },
  ],
  pages: [
    // A script of its own: it has charts.
    {
      path: '/console/services/documents',
      load: async () => (await import('./overview-page')).DocumentsOverviewPage,
    },
    { path: '/console/documents', load: page('DocumentListPage') },
    { path: '/console/documents/:documentId', load: page('DocumentPage') },
    // Content is fetched from the object store.
    {
      path: '/console/documents/:documentId/versions/:version',
      policy: { objectStore: true },
      load: page('VersionPage'),
    },
  ],
};
