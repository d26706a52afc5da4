/** GET /api/videos/people: principals to share videos with. */
import { tenantPeopleRoute } from '../kernel/tenant-people';
import { scopes, type VideoReading } from './video-reading';

export const listVideoPeople = tenantPeopleRoute<VideoReading>({
  ...{ path: '/api/videos/people', operation: 'listVideoPeople', scopes, shared: 'videos', readScope: 'videos:read' },
});
