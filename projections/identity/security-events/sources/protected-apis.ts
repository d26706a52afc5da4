/** Rows of registered APIs and their tools. */
import { type ProtectedApiEvent, protectedApis } from '../../../../domain/identity/protected-api/events';
import { streamsOf } from '../../../kernel/projection';
import type { RecordedEvent } from '../../../kernel/recorded-event';
import { type RowSource, row } from '../row';

type Of<Type extends ProtectedApiEvent['type']> = RecordedEvent<Extract<ProtectedApiEvent, { readonly type: Type }>>;

const apiRow = (recorded: Of<'ApiRegistered' | 'ApiChanged'>, what: string) => {
  const { apiId, name, scopes } = recorded.data;
  const names = scopes.map((scope) => scope.name);
  return row(recorded, { summary: `${what}: ${name}, with ${names.join(', ')}`, details: { apiId, scopes: names } });
};

export const protectedApiEvents: RowSource = streamsOf(protectedApis, {
  ApiRegistered: (recorded) => apiRow(recorded, 'API registered'),
  ApiChanged: (recorded) => apiRow(recorded, 'API changed'),
  ApiRemoved: (recorded) => {
    const { apiId, audience, reason } = recorded.data;
    return row(recorded, { summary: `API removed: ${reason}`, details: { apiId, audience, reason } });
  },
  ApiToolSet: (recorded) => {
    const { apiId, tool, requiredScopes, agentScopes, stepUp, principalTypes } = recorded.data;
    const agents = agentScopes.length === 0 ? 'nothing' : agentScopes.join(', ');
    const details = { apiId, tool, requiredScopes, agentScopes, stepUp, principalTypes };
    return row(recorded, { summary: `Tool set: ${tool}, through which agents may use ${agents}`, details });
  },
  ApiToolRemoved: (recorded) => {
    const { apiId, tool, reason } = recorded.data;
    return row(recorded, { summary: `Tool removed: ${tool}: ${reason}`, details: { apiId, tool, reason } });
  },
});
