/** GET /v1/file-people: principals to share files with. */
import { tenantPeopleRoute } from '../../kernel/tenant-people';
import { type FileReading, scopes } from '../file-reading';

export const listFilePeople = tenantPeopleRoute<FileReading>({
  ...{ path: '/v1/file-people', operation: 'listFilePeople', scopes, shared: 'files', readScope: 'files:read' },
});
