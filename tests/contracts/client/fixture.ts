/** The whole system as `npm start` runs it, and clients that reach it through a proxy under a path. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { freePort } from '../../../infra/operate/launch/free-port';
import { type Client, clientCredentials, connect } from '../../../packages/client/src/index';
import type { ClientOptions } from '../../../packages/client/src/options';
import type { WebSocketConstructor } from '../../../packages/client/src/platform';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { type Launched, launch } from '../../support/processes/launcher';
import {
  elasticsearchForTests,
  freshDatabase,
  indexPrefix,
  valkeyForTests,
} from '../../support/servers/shared-servers';
import { openPathProxy, type PathProxy } from './path-proxy';

export interface ClientFixture {
  readonly septet: Launched;
  readonly between: PathProxy;
  /** Of the first admin. */
  readonly client: Client;
  readonly clientWith: (options: ClientOptions) => Client;
  readonly token: () => Promise<string>;
  /** Ends a process at once; the launcher starts it again. */
  readonly kill: (script: string) => void;
  readonly close: () => Promise<void>;
}

/** Those of the whole run: what is tested here needs none of its own. */
const stores = async (): Promise<Readonly<Record<string, string>>> => {
  const redis = await valkeyForTests();
  const elastic = await elasticsearchForTests();
  return {
    POSTGRES_URL: await freshDatabase(),
    REDIS_URL: redis.url,
    ELASTICSEARCH_URL: elastic.url,
    ELASTICSEARCH_PREFIX: indexPrefix(),
  };
};

export const startClientFixture = async (): Promise<ClientFixture> => {
  const { path: home, remove } = temporaryDirectory('client');
  const port = await freePort();
  // Each service has a process that can be killed.
  const rest = ['--processes', '--data', join(home, 'data'), '--port', String(port)];
  const septet = await launch({ directory: process.cwd(), arguments: rest, env: await stores() });
  const between = await openPathProxy(septet.url);
  const options = { baseUrl: between.url, WebSocket: WebSocket as unknown as WebSocketConstructor };
  const clientWith = (more: ClientOptions): Client => connect({ ...options, ...more });
  assert.ok(septet.code);
  const { body } = await clientWith({}).signInFirstAdmin({ body: { code: septet.code } });
  const { clientId, clientSecret } = body;
  const provider = clientCredentials({ baseUrl: between.url, clientId, clientSecret });
  return {
    septet,
    between,
    client: clientWith({ token: provider }),
    clientWith: (more) => clientWith({ token: provider, ...more }),
    token: async () => String(await provider({ refresh: false, signal: new AbortController().signal })),
    kill: (script) => {
      const found = septet.processes().find(({ command }) => command.includes(script));
      assert.ok(found, `${script} runs`);
      process.kill(found.pid, 'SIGKILL');
    },
    close: async () => {
      await between.close();
      await septet.stop();
      remove();
    },
  };
};
