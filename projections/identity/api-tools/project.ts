/** Tools end with their API. */
import { protectedApis } from '../../../domain/identity/protected-api/events';
import { patchRow, patchRowsWhere, projection, putRow, streamsOf } from '../../kernel/projection';
import { type ApiToolRow, apiToolsView } from './view';

export const apiToolsProjection = projection(apiToolsView, [
  streamsOf(protectedApis, {
    ignored: ['ApiRegistered', 'ApiChanged'],
    ApiToolSet: ({ data, at, event }) => {
      const { requiredScopes, agentScopes, principalTypes, ...fields } = data;
      const lists = {
        requiredScopes: [...requiredScopes],
        agentScopes: [...agentScopes],
        principalTypes: [...principalTypes],
      };
      return putRow<ApiToolRow>({ ...fields, ...lists, status: 'ACTIVE', setAt: event.occurredAt, ...at });
    },
    ApiToolRemoved: ({ data: { apiId, tool }, at: { tenantId, revision } }) =>
      patchRow<ApiToolRow>({ tenantId, apiId, tool }, { status: 'REMOVED', revision }),
    ApiRemoved: ({ data: { apiId }, at: { tenantId, revision } }) =>
      patchRowsWhere<ApiToolRow>({ tenantId, apiId, status: 'ACTIVE' }, { status: 'REMOVED', revision }),
  }),
]);
