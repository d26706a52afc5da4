/** Clients of a running system, which they reach through a proxy under a path. */
import { WebSocket } from 'ws';
import { type Client, clientCredentials, connect } from '../../../packages/client/src/index';
import type { ClientOptions } from '../../../packages/client/src/options';
import type { WebSocketConstructor } from '../../../packages/client/src/platform';
import type { ClientCredential } from '../../support/identity/tenant';
import { openPathProxy, type PathProxy } from './path-proxy';

export interface ClientFixture {
  readonly between: PathProxy;
  /** Of the credential. */
  readonly client: Client;
  readonly clientWith: (options: ClientOptions) => Client;
  readonly token: () => Promise<string>;
  readonly close: () => Promise<void>;
}

export const openClients = async (url: string, credential: ClientCredential): Promise<ClientFixture> => {
  const between = await openPathProxy(url);
  const provider = clientCredentials({ baseUrl: between.url, ...credential });
  const options = { baseUrl: between.url, WebSocket: WebSocket as unknown as WebSocketConstructor, token: provider };
  const clientWith = (more: ClientOptions): Client => connect({ ...options, ...more });
  return {
    between,
    client: clientWith({}),
    clientWith,
    token: async () => String(await provider({ refresh: false, signal: new AbortController().signal })),
    close: between.close,
  };
};
