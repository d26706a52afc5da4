/** The console's section of archives; its page is loaded when it is opened. */
import type { Section } from '../../../../read-api/web/shell/section';

export const archives: Section = {
  title: 'Archives',
  group: 'services',
  scope: 'archives:read',
  links: [{ path: '/console/archives', label: 'Archives', key: 'a' }],
  pages: [
    {
      path: '/console/archives',
      load: async () => (await import('./archives.page')).ArchivesPage,
      policy: { objectStore: true },
    },
  ],
};
