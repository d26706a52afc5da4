import { type ApiFields, protectedApis } from '../../../domain/identity/protected-api/events';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import { type ProtectedApiRow, protectedApisView } from './view';

const fieldsOf = ({ name, scopes }: ApiFields) => ({ name, scopes: [...scopes] });

export const protectedApisProjection = projection(protectedApisView, [
  streamsOf(protectedApis, {
    ignored: ['ApiToolSet', 'ApiToolRemoved'],
    ApiRegistered: ({ data, at }) => {
      const { apiId, audience, createdAt } = data;
      const ended = { endedAt: null, reason: null };
      return putRow<ProtectedApiRow>({
        ...{ apiId, audience, createdAt, status: 'ACTIVE', ...ended },
        ...fieldsOf(data),
        ...at,
      });
    },
    ApiChanged: ({ data, at: { tenantId, revision } }) =>
      patchRow<ProtectedApiRow>({ tenantId, apiId: data.apiId }, { ...fieldsOf(data), revision }),
    ApiRemoved: ({ data: { apiId, reason }, at: { tenantId, revision }, event }) =>
      patchRow<ProtectedApiRow>(
        { tenantId, apiId },
        { status: 'REMOVED', endedAt: event.occurredAt, reason, revision },
      ),
  }),
]);
