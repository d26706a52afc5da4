/** APIs of a tenant that tokens are issued for (RFC 9728), with their scopes and tools, and what agents may do through each tool. */
import * as t from 'io-ts';
import { Instant, listOf, nameText, record, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import type { TenantId } from '../../kernel/ids';
import { ApiId, Audience, PrincipalType } from '../ids';
import { Reason } from '../principal/events';
import { Scope } from '../scopes';

export const maxApis = 100;
export const maxTools = 100;
const maxApiScopes = 50;

const Description = text('ApiDescription', { maxLength: 256, examples: ['See tickets'] });

const ApiScope = record('ApiScope', { name: Scope, description: Description });

export const apiFields = {
  name: nameText('ApiName', { maxLength: 120, examples: ['Ticket desk'] }),
  /** Each with what it allows, as a consent page puts it. */
  scopes: listOf('ApiScopes', ApiScope, maxApiScopes, 1),
};
export type ApiFields = Readonly<t.TypeOfProps<typeof apiFields>>;

export const ToolName = text('ToolName', {
  maxLength: 64,
  pattern: '[A-Za-z0-9][A-Za-z0-9._-]*',
  examples: ['close_ticket'],
});

export const toolFields = {
  description: Description,
  /** Without all of them a token is of no use to the tool, and is refused. */
  requiredScopes: listOf('RequiredToolScopes', Scope, maxApiScopes, 1),
  /** The tool policy: what an agent may use through it. */
  agentScopes: listOf('AgentToolScopes', Scope, maxApiScopes),
  /** Whether an agent needs the approval of a person for each use. */
  stepUp: t.boolean,
  principalTypes: listOf('ToolPrincipalTypes', PrincipalType, 3, 1),
};
export type ToolFields = Readonly<t.TypeOfProps<typeof toolFields>>;

export const protectedApis = aggregate(
  { context: 'identity', name: 'protectedApis' },
  {
    ApiRegistered: { v: 1, data: { apiId: ApiId, audience: Audience, createdAt: Instant, ...apiFields } },
    ApiChanged: { v: 1, data: { apiId: ApiId, ...apiFields } },
    /** Its tools are gone with it. */
    ApiRemoved: { v: 1, data: { apiId: ApiId, audience: Audience, reason: Reason } },
    /** Made or replaced: its name identifies a tool. */
    ApiToolSet: { v: 1, data: { apiId: ApiId, tool: ToolName, ...toolFields } },
    ApiToolRemoved: { v: 1, data: { apiId: ApiId, tool: ToolName, reason: Reason } },
  },
);
export type ProtectedApiEvent = typeof protectedApis.Event;

/** One per tenant: a scope is of one API, and a token is issued by one state. */
export const protectedApiStream = (tenant: TenantId): string => protectedApis.stream(tenant, 'apis');
