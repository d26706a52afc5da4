import { organizations } from '../../../domain/workflow/organization/events';
import { projection, putRow, streamsOf } from '../../kernel/projection';
import { type OrganizationRow, organizationsView } from './view';

export const organizationsProjection = projection(organizationsView, [
  streamsOf(organizations, {
    OrganizationConfigured: ({ data, at }) => putRow<OrganizationRow>({ ...data, ...at }),
  }),
]);
