import assert from 'node:assert/strict';
import { client, type RecordMetadataDocument } from '../../../domain/identity/client/decider';
import type { ClientEvent, ClientMetadata } from '../../../domain/identity/client/events';
import {
  isMetadataHost,
  registrationPolicy,
  type SetRegistrationPolicy,
} from '../../../domain/identity/registration-policy/decider';
import type { RegistrationPolicyEvent } from '../../../domain/identity/registration-policy/events';
import { given } from '../../kernel/domain/given-when-then';
import { evening, noon, scope, tenantId } from '../examples';
import {
  applicationId,
  change,
  changed,
  grantsVoided,
  loosened as loosenedClient,
  register,
  registered,
  web,
} from './examples';

const knownAudiences = ['septet', 'orders', 'https://mcp.example/mcp'];
const set = (changes: Partial<SetRegistrationPolicy> = {}): SetRegistrationPolicy => ({
  type: 'SetRegistrationPolicy',
  audiences: ['orders'],
  metadataHosts: ['client.example'],
  knownAudiences,
  apis: [
    {
      audience: 'https://mcp.example/mcp',
      scopes: [{ name: scope('tickets:read') }, { name: scope('tickets:write') }],
    },
    { audience: 'orders', scopes: [] },
  ],
  held: [],
  ...changes,
});
const wasSet = (audiences: readonly string[], metadataHosts: readonly string[]): RegistrationPolicyEvent => ({
  type: 'RegistrationPolicySet',
  data: { audiences: [...audiences], metadataHosts: [...metadataHosts] },
});

const loosened = (audiences: readonly string[], metadataHosts: readonly string[]): RegistrationPolicyEvent => ({
  type: 'RegistrationPolicyLoosened',
  data: { audiences: [...audiences], metadataHosts: [...metadataHosts] },
});

describe('the policy for applications that register themselves', () => {
  it('is set as a whole', () =>
    given(registrationPolicy, wasSet(['septet'], []))
      .when(set())
      .then(loosened(['orders'], ['client.example']), wasSet(['orders'], ['client.example'])));
  it('records what it opens, and nothing where it closes', () => {
    given(registrationPolicy, wasSet(['orders'], ['client.example']))
      .when(set({ audiences: ['orders', 'septet'] }))
      .then(loosened(['septet'], []), wasSet(['orders', 'septet'], ['client.example']));
    given(registrationPolicy, wasSet(['orders', 'septet'], ['client.example']))
      .when(set({ metadataHosts: [] }))
      .then(wasSet(['orders'], []));
  });
  it('is the same when it is set again, in whatever order', () =>
    given(registrationPolicy, wasSet(['https://mcp.example/mcp', 'orders'], ['a.example', 'b.example']))
      .when(
        set({
          audiences: ['orders', 'https://mcp.example/mcp', 'orders'],
          metadataHosts: ['b.example', 'a.example'],
        }),
      )
      .thenNothing());
  it('is nothing until it is set', () =>
    given(registrationPolicy)
      .when(set({ audiences: [], metadataHosts: [] }))
      .thenNothing());
  it('opens no audience that there is not', () =>
    given(registrationPolicy)
      .when(set({ audiences: ['payments'] }))
      .rejects('registration-policy-invalid'));
  it('opens a registered API by who can give its scopes, and keeps it open by others', () => {
    const audiences = ['https://mcp.example/mcp'];
    for (const held of [[], ['security:write'], ['tickets:read', 'security:write']])
      given(registrationPolicy)
        .when(set({ audiences, metadataHosts: [], held }))
        .rejects('scope-not-held');
    given(registrationPolicy)
      .when(set({ audiences, metadataHosts: [], held: ['tickets:read', 'tickets:write'] }))
      .then(loosened(audiences, []), wasSet(audiences, []));
    given(registrationPolicy, wasSet(audiences, []))
      .when(set({ audiences, metadataHosts: ['client.example'] }))
      .then(loosened([], ['client.example']), wasSet(audiences, ['client.example']));
  });
  it('has an end', () =>
    given(registrationPolicy)
      .when(set({ metadataHosts: Array.from({ length: 101 }, (_, at) => `h${at}.example`) }))
      .rejects('registration-policy-invalid'));

  it('is about hosts as they are written, or about every one', () => {
    const policy = { audiences: [], metadataHosts: ['client.example', 'other.example:8443'] };
    for (const host of ['client.example', 'other.example:8443']) assert.ok(isMetadataHost(policy, host));
    for (const host of ['other.example', 'a.client.example', 'client.example.evil.example'])
      assert.ok(!isMetadataHost(policy, host), host);
    assert.ok(isMetadataHost({ audiences: [], metadataHosts: ['*'] }, 'any.example'));
    assert.ok(!isMetadataHost({ audiences: [], metadataHosts: [] }, 'any.example'));
  });
});

describe('a client that registers itself', () => {
  const metadataUrl = 'https://client.example/client.json';
  const itself = (url: string | null): ClientEvent => ({
    type: 'ClientRegisteredItself',
    data: { applicationId, metadataUrl: url },
  });
  const person: Partial<ClientMetadata> = { authentication: 'none', scopes: [scope('openid')] };
  const record = (changes: Partial<ClientMetadata> = {}, at = noon): RecordMetadataDocument => ({
    type: 'RecordMetadataDocument',
    applicationId,
    tenantId,
    metadata: { ...web, ...person, ...changes },
    metadataUrl,
    audiences: ['septet', 'https://files.example'],
    at,
  });

  it('is marked', () =>
    given(client)
      .when({ ...register(), byItself: true })
      .then(registered(), itself(null)));
  it('is recorded from its document', () => given(client).when(record()).then(registered(person), itself(metadataUrl)));
  it('is recorded once', () => given(client, registered(person), itself(metadataUrl)).when(record()).thenNothing());
  it('is what its document says now, and what people allowed ends where its answers go elsewhere', () => {
    const redirectUris = ['https://elsewhere.example/callback'];
    given(client, registered(person), itself(metadataUrl))
      .when(record({ name: 'Other' }))
      .then(changed({ ...person, name: 'Other' }));
    given(client, registered(person), itself(metadataUrl))
      .when(record({ redirectUris }, evening))
      .then(loosenedClient('redirectUris'), changed({ ...person, redirectUris }), grantsVoided(person));
  });
  it('has no scopes but those about a person', () =>
    given(client)
      .when(record({ scopes: [scope('principals:read')] }))
      .rejects('scope-not-held'));
  it('is changed in its document, and nowhere else', () =>
    given(client, registered(person), itself(metadataUrl))
      .when(change({ ...person, name: 'Other' }))
      .rejects('client-metadata-invalid'));
});
