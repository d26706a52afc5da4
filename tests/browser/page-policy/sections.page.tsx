/** Pages of one component: what it may do depends on the policy that its address declares. */
import type { Section } from '../../../read-api/web/shell/section';

const load = async () => (await import('./probes.page')).ProbesPage;

export const sectionList: readonly Section[] = [
  {
    title: 'Test',
    group: 'services',
    scope: 'tests:read',
    links: [],
    pages: [
      { path: '/console/plain', load },
      { path: '/console/plain/other', load },
      { path: '/console/media/new', load },
      {
        path: '/console/media/:mediaId',
        load,
        policy: { blobImages: true, blobMedia: true, workers: 'blob', webAssembly: true, objectStore: true },
      },
      { path: '/console/workers', load, policy: { workers: 'own' } },
    ],
  },
];
