/** The search service and the gateway in processes of their own, for benches. */
import { fork } from 'node:child_process';
import { Pool } from 'undici';
import { freePort } from '../../../infra/operate/launch/free-port';
import { entryPath } from '../../../infra/server/bundle/entry-path';
import { signCaller } from '../../../infra/server/http/identity/identity-header';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { jwksRoute, tokenAt } from '../../support/gateway/gateway';
import { startHttpService } from '../../support/http/http-service';
import { gatewayVariables, macSigner } from '../../support/http/internal-keys';
import { exitOf } from '../../support/processes/child-exit';
import { startEventStoreNode } from '../../support/servers/event-store-node';

type Environment = Readonly<Record<string, string>>;

/** `GEO_PROFILE` names a directory for profiles of the service's processor time. */
const profiling =
  process.env.GEO_PROFILE === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${process.env.GEO_PROFILE}`];

const start = async (script: string, env: Environment, more: readonly string[] = []) => {
  const port = (await freePort()) as number;
  const child = fork(entryPath(script), [], {
    execArgv: [...more],
    env: { ...process.env, ...env, PORT: String(port) },
  });
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exitOf(child);
  };
  return { url: `http://127.0.0.1:${port}`, stop };
};

const connections = 4;

/** Signs the request; sent, it answers the body, and rejects on anything but success. */
export type PrepareSend = (path: string) => () => Promise<string>;

const senderTo = (url: string, headersOf: (path: string) => Record<string, string>) => {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const prepare: PrepareSend = (path) => {
    const headers = headersOf(path);
    return async () => {
      const answer = await pool.request({ method: 'GET', path, headers });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${text.slice(0, 500)}`);
      return text;
    };
  };
  return { prepare, close: () => pool.close() };
};

/** With a header as the gateway signs it for services that share a key with it. */
export const startSearchProcess = async (env: Environment, tenantId: string) => {
  const { url, stop } = await start('read-api/geo/search/main', env, profiling);
  const identity = { tenantId, principalId: 'p-1', principalType: 'HUMAN', scopes: ['places:read'], tokenId: 'jti-1' };
  const caller = { identity, requestId: 'bench' };
  const sender = senderTo(url, (target) => ({
    'septet-identity': signCaller(caller, { signer: macSigner, line: { method: 'GET', target }, now: Date.now() }),
  }));
  const close = async (): Promise<void> => {
    await sender.close();
    await stop();
  };
  return { url, prepare: sender.prepare, close };
};

/** Without limits: a bench is one caller. */
export const startGatewayProcess = async (searchUrl: string, env: Environment, tenantId: string) => {
  const { path: directory, remove } = temporaryDirectory('geo-gateway');
  const node = await startEventStoreNode(directory);
  const commands = await startHttpService([jwksRoute]);
  const { url, stop } = await start('infra/gateway/main', {
    ...gatewayVariables,
    EVENTSTORE_URL: node.url,
    REDIS_URL: env.REDIS_URL as string,
    SEARCH_URL: searchUrl,
    SEARCH_MAC_KEY: gatewayVariables.INTERNAL_MAC_KEY,
    COMMANDS_URL: commands.url,
    READ_API_URL: commands.url,
    PUBLIC_URL: 'http://127.0.0.1',
    ISSUER: 'http://septet.test',
    LOG_LEVEL: 'error',
  });
  // A token lasts ten minutes, and a bench longer.
  let token = { text: '', until: 0 };
  const current = (): string => {
    const now = Date.now();
    if (now > token.until)
      token = { text: tokenAt(now, { tenant_id: tenantId, scopes: ['places:read'] }), until: now + 300_000 };
    return token.text;
  };
  const sender = senderTo(url, () => ({ authorization: `Bearer ${current()}` }));
  const close = async (): Promise<void> => {
    await sender.close();
    await stop();
    await commands.close();
    await node.stop();
    remove();
  };
  return { prepare: sender.prepare, close };
};
