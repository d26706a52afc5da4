/** The command API as a process of its own, asked as the gateway asks it. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { identityHeader } from '../../infra/http/identity';
import { internalKey, signedHeader, someone } from '../support/http-service';

export const bootstrapCode = 'a-code-that-was-printed';

export const commandsEnv = (eventStore: string): Record<string, string> => ({
  EVENTSTORE_URL: eventStore,
  INTERNAL_KEY: internalKey,
  ISSUER: 'http://septet.test',
  BOOTSTRAP_CODE: bootstrapCode,
  PORT: '0',
});

/** Once it says that it is ready. */
export const listening = async (child: ChildProcess): Promise<{ child: ChildProcess; port: number }> => {
  child.stdout?.resume();
  child.stderr?.resume();
  const [message] = (await once(child, 'message')) as [{ port: number }];
  return { child, port: message.port };
};

export const askToForget = (port: number, subject: string, tenantId = 'acme'): Promise<Response> => {
  const path = '/v1/privacy/forget';
  const identity = { ...someone, tenantId, scopes: ['privacy:write'] };
  const headers = { 'content-type': 'application/json', [identityHeader]: signedHeader('POST', path, identity) };
  const body = JSON.stringify({ subject, reason: 'asked-for' });
  return fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
};
