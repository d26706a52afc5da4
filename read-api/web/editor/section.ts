/** Manifest of the editor's pages. */
import type { Section } from '../shell/section';
import type * as Pages from './pages';

const page = (name: keyof typeof Pages) => async () => (await import('./pages'))[name];

export const editor: Section = {
  title: 'Content',
  scope: 'documents:read',
  links: [{ path: '/console/documents', label: 'Documents', key: 'f' }],
  pages: [
    { path: '/console/documents', load: page('DocumentListPage') },
    { path: '/console/documents/:documentId', load: page('DocumentPage') },
  ],
};
