/** The command API as a separate process, called as the gateway calls it. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { identityHeader, signCaller } from '../../../infra/server/http/identity/identity-header';
import type { Identity } from '../../../infra/server/http/routing/route';
import { sampleIdentity } from '../../support/http/http-service';
import { commandsVariables, signer } from '../../support/http/internal-keys';

const bootstrapCode = 'a-code-that-was-printed';

export const commandsEnv = (eventStore: string): Record<string, string> => ({
  EVENTSTORE_URL: eventStore,
  ...commandsVariables,
  ISSUER: 'http://septet.test',
  BOOTSTRAP_CODE: bootstrapCode,
  PORT: '0',
});

/** Resolves with the port once the process prints that it is ready. */
export const listening = async (child: ChildProcess): Promise<{ child: ChildProcess; port: number }> => {
  child.stdout?.resume();
  child.stderr?.resume();
  const [message] = (await once(child, 'message')) as [{ port: number }];
  return { child, port: message.port };
};

interface Asking {
  readonly identity?: Identity;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const post = (port: number, target: string, { identity, headers, body }: Asking): Promise<Response> => {
  const signed = signCaller(
    { identity, requestId: 'request-1' },
    { signer, line: { method: 'POST', target }, now: Date.now() },
  );
  const url = `http://127.0.0.1:${port}${target}`;
  return fetch(url, { method: 'POST', headers: { [identityHeader]: signed, ...headers }, body });
};

const json = { 'content-type': 'application/json' };

export const requestErasure = (port: number, subject: string, tenantId = 'acme'): Promise<Response> =>
  post(port, '/v1/privacy/forget', {
    identity: { ...sampleIdentity, tenantId, scopes: ['privacy:write'] },
    headers: json,
    body: JSON.stringify({ subject, reason: 'asked-for' }),
  });

/** The first admin's client id and secret. */
export const signIn = async (port: number): Promise<URLSearchParams> => {
  const answer = await post(port, '/v1/bootstrap', { headers: json, body: JSON.stringify({ code: bootstrapCode }) });
  const { clientId, clientSecret } = (await answer.json()) as { clientId: string; clientSecret: string };
  return new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
};

/** As the gateway forwards it for a caller at that address. */
export const takeToken = (port: number, form: URLSearchParams, address: string): Promise<Response> =>
  post(port, '/oauth/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
    body: String(form),
  });
