/** Each kind that the console offers is a registration that the rules accept, once its few fields are filled in. */
import assert from 'node:assert/strict';
import type { ClientMetadata } from '../../../domain/identity/client/events';
import { checkMetadata } from '../../../domain/identity/client/metadata-rules';
import { registrationOf } from '../../../read-api/web/identity/clients/client-draft';
import {
  type ClientKind,
  clientKinds,
  draftFor,
  type KindName,
  kindNames,
} from '../../../read-api/web/identity/clients/client-kinds';
import { registrationFaultsOf } from '../../../read-api/web/identity/clients/registration-faults';

const redirectUris: { readonly [kind in KindName]?: string } = {
  web: 'https://app.example.com/callback',
  spa: 'https://app.example.com/',
  native: 'com.example.app:/callback\nhttp://127.0.0.1/callback',
};

/** As a person fills in the fields of the kind. */
const filled = (kind: KindName): ClientMetadata => {
  const { scopes, ...draft } = draftFor(kind);
  const registration = registrationOf({
    ...draft,
    name: 'Orders',
    scopes: scopes.length === 0 ? ['orders:read'] : scopes,
    redirectUris: redirectUris[kind] ?? '',
    servicePrincipalId: draft.grantTypes.includes('client_credentials') ? 'p-1' : '',
  });
  return { jwks: null, ...registration } as unknown as ClientMetadata;
};

const caller = {
  grantable: ['orders:read', 'tokens:introspect', 'credentials:write'],
  audiences: ['septet'],
};

describe('the kinds of applications that the console registers', () => {
  for (const kind of kindNames)
    it(`are accepted with their own settings: ${clientKinds[kind].label}`, () => {
      assert.equal(checkMetadata(filled(kind), caller), undefined);
      const { redirects }: ClientKind = clientKinds[kind];
      assert.equal(
        redirects !== undefined,
        redirectUris[kind] !== undefined,
        'asks for redirect URIs where they are needed',
      );
    });

  it('give secrets only to what can keep them, and refresh tokens of public clients only with a key', () => {
    for (const kind of kindNames) {
      const { authentication, grantTypes, dpopBound } = filled(kind);
      const isPublic = authentication === 'none';
      assert.equal(isPublic, kind === 'spa' || kind === 'native' || kind === 'device', kind);
      if (isPublic && grantTypes.includes('refresh_token')) assert.ok(dpopBound, kind);
    }
  });

  const faultsOf = (kind: KindName, changes: Partial<ClientMetadata>) => {
    const refused = checkMetadata({ ...filled(kind), ...changes }, caller);
    assert.ok(refused !== undefined);
    return registrationFaultsOf({ ...refused, status: 422, title: '', errors: [], requestId: undefined });
  };

  it('show what is refused at its field, in the words of the form', () => {
    const one = 'https://app.example.com/';
    assert.deepEqual(faultsOf('web', { redirectUris: [one, 'http://app.example.com/'] }), [
      {
        field: 'redirectUris',
        text: 'Redirect URI 2 must be https, or http with a loopback address such as http://127.0.0.1/callback.',
      },
    ]);
    assert.deepEqual(faultsOf('web', { redirectUris: [] }), [
      { field: 'redirectUris', text: 'Enter at least one redirect URI.' },
    ]);
    assert.deepEqual(faultsOf('machine', { servicePrincipalId: null }), [
      { field: 'servicePrincipalId', text: 'Choose the principal that the client acts as.' },
    ]);
  });

  it('leave what is not of one field to the problem itself', () =>
    assert.deepEqual(faultsOf('web', { grantTypes: ['authorization_code', 'authorization_code'] }), []));
});
