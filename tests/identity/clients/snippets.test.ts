/** The code that the console offers for a client, by its kind. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { type KindName, kindNames } from '../../../read-api/web/identity/clients/client-kinds';
import {
  type Connection,
  discoveryUrlOf,
  environmentOf,
  kindOf,
  programOf,
} from '../../../read-api/web/identity/clients/snippets';
import { needs } from '../../support/runner/prerequisites';

const connection = (client: Partial<Connection['client']> = {}): Connection => ({
  issuer: 'http://localhost:7070',
  secret: 'q3sVw8h0N1yZ5tXc7bLk2mRf9dGj4pAe6uQo0iWvT1s',
  client: {
    authentication: 'client_secret_basic',
    clientId: 'main~7d9f1c9e',
    dpopBound: false,
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris: ["https://app.example/it's"],
    scopes: ['openid', 'profile'],
    ...client,
  },
});

describe('snippets of a client', () => {
  needs('bash');

  it('name the address of discovery', () =>
    assert.equal(discoveryUrlOf('https://id.example/'), 'https://id.example/.well-known/openid-configuration'));

  it('set variables that a shell reads as they are', () => {
    const script = `${environmentOf(connection())}\nprintf '%s %s %s %s' "$SEPTET" "$CLIENT_ID" "$CLIENT_SECRET" "$REDIRECT_URI"`;
    const { issuer, secret, client } = connection();
    assert.equal(
      execFileSync('bash', ['-c', script], { encoding: 'utf8' }),
      `${issuer} ${client.clientId} ${secret} ${client.redirectUris[0]}`,
    );
    assert.ok(!environmentOf(connection({ authentication: 'none' })).includes('CLIENT_SECRET'));
    assert.ok(environmentOf({ ...connection(), secret: undefined }).includes("'the secret of the client'"));
  });

  for (const kind of kindNames)
    it(`are a module: ${kind}`, () => {
      const program = programOf(kind, connection({ dpopBound: kind === 'native' }));
      execFileSync(process.execPath, ['--check', '--input-type=module'], { input: program });
      assert.equal(program.includes('getDPoPHandle'), kind === 'native');
    });

  it('allow plain http only where the issuer has it', () => {
    assert.ok(programOf('web', connection()).includes('allowInsecureRequests'));
    assert.ok(!programOf('web', { ...connection(), issuer: 'https://id.example' }).includes('allowInsecureRequests'));
  });

  const kinds: readonly (readonly [KindName, Partial<Connection['client']>])[] = [
    ['web', {}],
    ['spa', { authentication: 'none', grantTypes: ['authorization_code'] }],
    ['native', { authentication: 'none', dpopBound: true }],
    ['device', { authentication: 'none', grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'] }],
    ['machine', { grantTypes: ['client_credentials'] }],
    ['api', { grantTypes: ['client_credentials'], scopes: ['tokens:introspect'] }],
  ];
  for (const [kind, client] of kinds)
    it(`know the kind of a registered client: ${kind}`, () => assert.equal(kindOf(connection(client).client), kind));
});
