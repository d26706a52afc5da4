/** A person with a credential and tokens, whose requests are recorded with an address that is sealed as personal. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import { issuance } from '../../../domain/identity/issuance/events';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { openEncryptingStore } from '../../../infra/adapters/vault/encrypting-store';
import { openLocalWrapping } from '../../../infra/adapters/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../../../infra/adapters/vault/postgres-key-table';
import { openVault } from '../../../infra/adapters/vault/subject-keys';
import { type Admin, jsonOf } from '../../support/identity/admin';
import { runFileOf } from './command-line';

export interface Person {
  readonly principalId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const posted = async (admin: Admin, path: string, body: object): Promise<Record<string, unknown>> => {
  const response = await admin.post(path, body);
  assert.ok(response.ok, `${path} answered ${response.status}`);
  return jsonOf(response);
};

const tokenOf = (url: string, { clientId, clientSecret }: Person): Promise<Response> => {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  return fetch(`${url}/oauth/token`, { method: 'POST', body });
};

export const signInAs = async (url: string, person: Person): Promise<number> => {
  const response = await tokenOf(url, person);
  await response.body?.cancel();
  return response.status;
};

/** With a token of now. */
export const getAs = async (url: string, person: Person, path: string): Promise<Response> => {
  const { access_token: token } = await jsonOf(await tokenOf(url, person));
  return fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
};

export const createPerson = async (admin: Admin): Promise<Person> => {
  const { principalId } = await posted(admin, '/v1/principals', { principalType: 'PIPELINE' });
  const path = `/v1/principals/${principalId}/credentials`;
  const { clientId, clientSecret } = await posted(admin, path, { scopes: ['principals:read'] });
  const person = { principalId: String(principalId), clientId: String(clientId), clientSecret: String(clientSecret) };
  assert.equal(await signInAs(admin.url, person), 200);
  return person;
};

export const forget = (admin: Admin, { principalId }: Person) =>
  posted(admin, '/v1/privacy/forget', { subject: principalId, reason: 'asked-for' });

const keysOf = (data: string) => {
  const masterKey = Buffer.from(readFileSync(join(data, 'secrets', 'master-key'), 'utf8'), 'base64url');
  return openLocalWrapping({ directory: join(data, 'keys'), masterKey });
};

/** The addresses of token requests by principal, decrypted with the keys. */
export const addressesIn = async (data: string): Promise<ReadonlyMap<string, unknown>> => {
  const { EVENTSTORE_URL, POSTGRES_URL } = runFileOf(data);
  const vault = openVault({ table: openPostgresKeyTable(POSTGRES_URL), wrapping: keysOf(data) });
  const plain = openEventStore({ url: EVENTSTORE_URL });
  const addresses = new Map<string, unknown>();
  const wanted = { after: null, filter: { streams: ['identity.issuance-'] } };
  for await (const { type, data: issued } of openEncryptingStore(plain, vault).readAll(wanted)) {
    const event = issuance.decode(type, issued);
    assert.ok(isRight(event), type);
    addresses.set(event.right.data.principalId, event.right.data.sourceIp);
  }
  await Promise.all([plain.close(), vault.close()]);
  return addresses;
};
