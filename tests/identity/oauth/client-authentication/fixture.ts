/** Applications at the token endpoint: registered in the log, with keys, secrets and certificates of their own. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { isLeft, isRight } from 'fp-ts/Either';
import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { clientSecretHash } from '../../../../commands/identity/clients/client-secret';
import {
  type ClientEvent,
  type ClientMetadata,
  clientStream,
  clients,
} from '../../../../domain/identity/client/events';
import type { ApplicationId, CredentialId } from '../../../../domain/identity/ids';
import type { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import type { RemoteJson } from '../../../../infra/ports/identity/remote-json';
import { identityHeader, signCaller } from '../../../../infra/server/http/identity/identity-header';
import type { ClientCertificate } from '../../../../packages/resource-server/src/verification/client-certificate';
import { signer } from '../../../support/http/internal-keys';
import { reads, web, writes } from '../../clients/examples';
import { noon } from '../../examples';
import { client, issuer, secret, startIssuer } from '../token/fixture';

const bearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
export const endpoint = `${issuer}/oauth/token`;

export const keyPair = (kid = 'key-1') => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { privateKey, publicKey, jwk: { kty: 'EC' as const, crv: 'P-256' as const, x, y, kid } };
};

const seconds = (ahead: number): number => Date.parse(noon) / 1000 + ahead;

export interface Assertion {
  readonly claims?: JWTPayload;
  readonly header?: Partial<JWTHeaderParameters>;
}

export const assertionOf = (
  key: KeyObject | Uint8Array,
  { claims = {}, header = {} }: Assertion = {},
): Promise<string> =>
  new SignJWT({
    iss: 'acme~app',
    sub: 'acme~app',
    aud: issuer,
    jti: randomUUID(),
    iat: seconds(0),
    exp: seconds(60),
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'key-1', ...header })
    .sign(key);

export const inSeconds = seconds;

/** A service of the principal `p-1` of its own tenant. */
const service: ClientMetadata = {
  ...web,
  grantTypes: ['client_credentials'],
  redirectUris: [],
  scopes: [reads, writes],
  servicePrincipalId: 'p-1' as PrincipalId,
};

export const startApplications = async (fetchJson?: RemoteJson) => {
  const around = await startIssuer(undefined, undefined, fetchJson);
  await around.record('acme.p-1', client('acme.p-1'));
  const record = async (clientId: string, events: readonly ClientEvent[]): Promise<void> => {
    const [tenant, id] = clientId.split('~') as [TenantId, ApplicationId];
    const stored = events.map((event) => ({ id: randomUUID(), ...clients.encode(event), metadata: {} }));
    assert.ok(!isLeft(await around.deps.store.append(clientStream(tenant, id), 'any', stored)));
  };
  const register = (clientId: string, changes: Partial<ClientMetadata> = {}): Promise<void> => {
    const [tenantId, applicationId] = clientId.split('~') as [TenantId, ApplicationId];
    const data = { applicationId, tenantId, createdAt: noon, ...service, ...changes };
    return record(clientId, [{ type: 'ClientRegistered', data }]);
  };
  const addSecret = (clientId: string, id = 's-1', value = secret): Promise<void> => {
    const applicationId = clientId.split('~')[1] as ApplicationId;
    const what = {
      credentialId: id as CredentialId,
      secretHash: clientSecretHash(value),
      createdAt: noon,
      expiresAt: null,
    };
    return record(clientId, [{ type: 'ClientSecretIssued', data: { applicationId, ...what } }]);
  };
  const grant = 'client_credentials';
  const post = (form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
    around.post(new URLSearchParams({ grant_type: grant, ...form }), headers);
  const basic = (clientId: string, value = secret, form: Record<string, string> = {}): Promise<Response> =>
    post(form, { authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${value}`)}` });
  const assertion = (value: string, form: Record<string, string> = {}): Promise<Response> =>
    post({ client_assertion_type: bearer, client_assertion: value, ...form });
  /** As the gateway hands on whose certificate it saw. */
  const over = (certificate: ClientCertificate | undefined, form: Record<string, string>): Promise<Response> => {
    const line = { method: 'POST', target: '/oauth/token' };
    const caller = { identity: undefined, requestId: 'request-1', certificate };
    return post(form, { [identityHeader]: signCaller(caller, { signer, line, now: Date.now() }) });
  };
  const issued = async (): Promise<readonly Record<string, unknown>[]> => {
    const events = await around.deps.store.read('identity.issuance-acme.2026013112');
    assert.ok(isRight(events));
    return events.right.map(({ data }) => data as Record<string, unknown>);
  };
  return {
    ...around,
    recordPrincipal: around.record,
    record,
    register,
    addSecret,
    post,
    basic,
    assertion,
    over,
    issued,
  };
};

export type Applications = Awaited<ReturnType<typeof startApplications>>;

export const assertAnswer = async (response: Promise<Response>, status: number, error?: string): Promise<string> => {
  const answer = await response;
  const body = (await answer.json()) as { error?: string; error_description?: string };
  assert.deepEqual([answer.status, body.error], [status, error], JSON.stringify(body));
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  return body.error_description ?? '';
};
