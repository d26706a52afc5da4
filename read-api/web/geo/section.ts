/** Manifest of the pages of places. */
import type { PagePolicy, Section } from '../shell/section';
import type * as ImportPages from './imports/pages';
import type * as Pages from './pages';

/** Pages of imports do without the map. */
const importPage = (name: keyof typeof ImportPages) => async () => (await import('./imports/pages'))[name];

const policy: PagePolicy = { objectStore: true };

export const geo: Section = {
  title: 'Places',
  group: 'services',
  scope: 'places:read',
  links: [
    { path: '/console/services/places', label: 'Places', key: 'z' },
    { path: '/console/places', label: 'Find places', key: 'm', words: ['map', 'towns', 'search', 'address'] },
    {
      path: '/console/place-imports',
      label: 'Imports',
      key: 'n',
      scope: 'places:write',
      words: ['upload', 'csv', 'geojson', 'towns'],
    },
  ],
  pages: [
    { path: '/console/services/places', load: async () => (await import('./overview-page')).PlacesOverviewPage },
    {
      path: '/console/places',
      load: async (): Promise<typeof Pages.PlacesPage> => (await import('./pages')).PlacesPage,
    },
    { path: '/console/place-imports', policy, load: importPage('ImportListPage') },
    { path: '/console/place-imports/:importId', policy, load: importPage('ImportPage') },
  ],
};
