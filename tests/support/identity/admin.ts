/** The first admin, signed in over HTTP, as tests use it. */
import { randomUUID } from 'node:crypto';
import type { ClientCredential } from './tenant';

type Json = Record<string, unknown>;

export interface Admin {
  readonly url: string;
  readonly clientId: string;
  readonly token: () => string;
  readonly post: (path: string, body: object, idempotencyKey?: string) => Promise<Response>;
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;
}

export const jsonOf = async (response: Response): Promise<Json> => (await response.json()) as Json;

const refuse = async (response: Response): Promise<never> => {
  throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
};

const postForm = async (url: string, fields: Record<string, string>): Promise<Json> => {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  return response.ok ? jsonOf(response) : refuse(response);
};

/** Spends the one-time code. */
export const spendCode = async (url: string, code: string): Promise<ClientCredential> => {
  const response = await fetch(`${url}/v1/bootstrap`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const { clientId, clientSecret } = response.ok ? await jsonOf(response) : await refuse(response);
  return { clientId: String(clientId), clientSecret: String(clientSecret) };
};

/** With a token of now. */
export const adminWith = async (url: string, { clientId, clientSecret }: ClientCredential): Promise<Admin> => {
  const issued = await postForm(`${url}/oauth/token`, {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const authorization = `Bearer ${issued.access_token}`;
  return {
    url,
    clientId,
    token: () => String(issued.access_token),
    post: (path, body, idempotencyKey = randomUUID()) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify(body),
      }),
    get: (path, headers) => fetch(`${url}${path}`, { headers: { authorization, ...headers } }),
  };
};

/** Spends the one-time code, then takes a token with the credential of its answer. */
export const signIn = async (url: string, code: string): Promise<Admin> => adminWith(url, await spendCode(url, code));
