import type { ApiId } from '../../../domain/identity/ids';
import { audienceClaim } from '../../../domain/identity/protected-api/audience-claim';
import { apiRegistry } from '../../../domain/identity/protected-api/decider';
import { maxApis, maxTools } from '../../../domain/identity/protected-api/events';
import type { TenantId } from '../../../domain/kernel/ids';
import { given } from '../../kernel/domain/given-when-then';
import { noon, scope, tenantId } from '../examples';
import { api, apiId, audience, registerApi, registered, setTool, ticketsRead, toolSet } from './examples';

const removeApi = { type: 'RemoveApi', apiId, reason: 'Moved away.' } as const;
const removed = { type: 'ApiRemoved', data: { apiId, audience, reason: 'Moved away.' } } as const;
const removeTool = { type: 'RemoveTool', apiId, tool: 'find_tickets', reason: 'Not in use.' } as const;
const otherId = 'api-2' as ApiId;
const notes = { ...api, scopes: [{ name: scope('notes:read'), description: 'See notes' }] };

describe('registered APIs', () => {
  it('are registered once', () => given(apiRegistry).when(registerApi()).then(registered()));
  it('are the same when repeated', () => given(apiRegistry, registered()).when(registerApi()).thenNothing());
  it('are not registered with other fields under the same id', () =>
    given(apiRegistry, registered())
      .when(registerApi({ name: 'Tickets' }))
      .rejects('api-differs'));
  it('have an audience of their own', () =>
    given(apiRegistry, registered())
      .when(registerApi({}, { apiId: otherId }))
      .rejects('api-exists'));

  for (const [what, wrong] of [
    ['that is no URI', 'tickets'],
    ['without TLS', 'http://tickets.example'],
    ['with a fragment', 'https://tickets.example/#a'],
    ['with credentials', 'https://me@tickets.example'],
    ['in another spelling', 'https://TICKETS.example'],
    ['with the default port', 'https://tickets.example:443'],
    ['with a slash at the root', 'https://tickets.example/'],
    ['with dots', 'https://tickets.example/a/../b'],
    ['of the installation', 'https://files.example'],
    ['of Septet itself', 'https://septet.example/v1/files'],
    ['of a script', 'javascript:alert(1)'],
  ] as const)
    it(`have no audience ${what}`, () =>
      given(apiRegistry)
        .when(registerApi({}, { audience: wrong }))
        .rejects('api-audience-invalid'));
  for (const fine of ['urn:example:tickets', 'http://localhost:8080/mcp', 'https://tickets.example/mcp'])
    it(`may have the audience ${fine}`, () =>
      given(apiRegistry)
        .when(registerApi({}, { audience: fine }))
        .then(registered(apiId, fine)));

  for (const reserved of ['principals:read', 'account:write', 'openid'])
    it(`do not have Septet’s scope ${reserved}`, () =>
      given(apiRegistry)
        .when(registerApi({ scopes: [{ name: scope(reserved), description: 'Mine' }] }))
        .rejects('api-scopes-invalid'));
  it('name a scope once', () =>
    given(apiRegistry)
      .when(registerApi({ scopes: [...api.scopes, ...api.scopes] }))
      .rejects('api-scopes-invalid'));
  it('do not share scopes', () =>
    given(apiRegistry, registered())
      .when(registerApi({}, { apiId: otherId, audience: 'https://other.example' }))
      .rejects('api-scope-taken'));
  it('do not take over scopes of a removed API, whose holders would be theirs', () =>
    given(apiRegistry, registered(), removed)
      .when(registerApi({}, { apiId: otherId, audience: 'https://other.example' }))
      .rejects('api-scope-taken'));
  it('may be registered again', () =>
    given(apiRegistry, registered(), removed)
      .when(registerApi({}, { apiId: otherId }))
      .then(registered(otherId)));
  it('are limited in number', () =>
    given(
      apiRegistry,
      ...Array.from({ length: maxApis }, (_, at) =>
        registered(`api-${at}` as ApiId, `https://${at}.example`, {
          ...api,
          scopes: [{ name: scope(`${'t'.repeat((at % 50) + 1)}${at < 50 ? 'a' : 'b'}:read`), description: 'See' }],
        }),
      ),
    )
      .when(registerApi({}, { apiId: otherId.concat('x') as ApiId }))
      .rejects('too-many-apis'));

  it('change names and scopes', () =>
    given(apiRegistry, registered())
      .when({ type: 'ChangeApi', apiId, fields: notes })
      .then({ type: 'ApiChanged', data: { apiId, ...notes } }));
  it('are the same after the same change', () =>
    given(apiRegistry, registered()).when({ type: 'ChangeApi', apiId, fields: api }).thenNothing());
  it('cannot be changed when there is none', () =>
    given(apiRegistry).when({ type: 'ChangeApi', apiId, fields: api }).rejects('api-unknown'));
  it('are removed once', () => given(apiRegistry, registered()).when(removeApi).then(removed));
  it('stay removed', () => given(apiRegistry, registered(), removed).when(removeApi).thenNothing());
  it('cannot be removed when there is none', () => given(apiRegistry).when(removeApi).rejects('api-unknown'));
});

describe('tools of an API', () => {
  it('are set', () => given(apiRegistry, registered()).when(setTool()).then(toolSet()));
  it('are the same when repeated', () => given(apiRegistry, registered(), toolSet()).when(setTool()).thenNothing());
  it('are replaced', () =>
    given(apiRegistry, registered(), toolSet())
      .when(setTool({ stepUp: true }))
      .then(toolSet({ stepUp: true })));
  it('have only scopes of their API', () =>
    given(apiRegistry, registered())
      .when(setTool({ agentScopes: [ticketsRead, scope('principals:read')] }))
      .rejects('tool-scopes-invalid'));
  it('are of an API', () => given(apiRegistry).when(setTool()).rejects('api-unknown'));
  it('are limited in number', () =>
    given(apiRegistry, registered(), ...Array.from({ length: maxTools }, (_, at) => toolSet({}, `tool-${at}`)))
      .when(setTool())
      .rejects('too-many-tools'));
  it('are removed', () =>
    given(apiRegistry, registered(), toolSet())
      .when(removeTool)
      .then({ type: 'ApiToolRemoved', data: { apiId, tool: 'find_tickets', reason: 'Not in use.' } }));
  it('cannot be removed when there is none', () =>
    given(apiRegistry, registered()).when(removeTool).rejects('tool-unknown'));
  it('of no API cannot be removed', () => given(apiRegistry).when(removeTool).rejects('api-unknown'));
});

describe('audiences', () => {
  const claim = (tenant = tenantId) => ({ type: 'ClaimAudience', tenantId: tenant, at: noon }) as const;
  const claimed = { type: 'AudienceClaimed', data: { tenantId, claimedAt: noon } } as const;
  it('are claimed by a tenant', () => given(audienceClaim).when(claim()).then(claimed));
  it('stay its own', () => given(audienceClaim, claimed).when(claim()).thenNothing());
  it('are of no other tenant', () =>
    given(audienceClaim, claimed)
      .when(claim('globex' as TenantId))
      .rejects('audience-taken'));
});
