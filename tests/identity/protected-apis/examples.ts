/** An API with a tool, and the commands and events that the tests of the registry speak of. */
import type { ApiId } from '../../../domain/identity/ids';
import type { RegisterApi, SetTool } from '../../../domain/identity/protected-api/decider';
import type { ApiFields, ProtectedApiEvent, ToolFields } from '../../../domain/identity/protected-api/events';
import { noon, scope } from '../examples';

export const apiId = 'api-1' as ApiId;
export const audience = 'https://tickets.example';
export const [ticketsRead, ticketsWrite] = [scope('tickets:read'), scope('tickets:write')];

const home = { issuer: 'https://septet.example', audiences: ['septet', 'https://files.example'] };

export const api: ApiFields = {
  name: 'Ticket desk',
  scopes: [
    { name: ticketsRead, description: 'See tickets' },
    { name: ticketsWrite, description: 'See and change tickets' },
  ],
};

export const tool: ToolFields = {
  description: 'Finds tickets',
  requiredScopes: [ticketsRead],
  agentScopes: [ticketsRead],
  stepUp: false,
  principalTypes: ['AI_AGENT', 'HUMAN'],
};

export const registerApi = (changes: Partial<ApiFields> = {}, more: Partial<RegisterApi> = {}): RegisterApi => ({
  type: 'RegisterApi',
  apiId,
  audience,
  fields: { ...api, ...changes },
  home,
  at: noon,
  ...more,
});

export const registered = (id = apiId, at = audience, fields = api): ProtectedApiEvent => ({
  type: 'ApiRegistered',
  data: { apiId: id, audience: at, createdAt: noon, ...fields },
});

export const setTool = (changes: Partial<ToolFields> = {}, name = 'find_tickets'): SetTool => ({
  type: 'SetTool',
  apiId,
  tool: name,
  fields: { ...tool, ...changes },
});

export const toolSet = (changes: Partial<ToolFields> = {}, name = 'find_tickets'): ProtectedApiEvent => ({
  type: 'ApiToolSet',
  data: { apiId, tool: name, ...tool, ...changes },
});
