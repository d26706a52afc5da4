/** The gateway before two command APIs over one node, each a process of its own, with applications and a person who is signed in. */
import { randomBytes } from 'node:crypto';
import type { Instant } from '../../../../domain/kernel/codec';
import { openEventStore } from '../../../../infra/adapters/eventstore/event-store';
import { openRedisSessionActivity } from '../../../../infra/adapters/redis/identity/session-activity';
import { freePort } from '../../../../infra/operate/launch/free-port';
import { accountCookies } from '../../../../infra/server/http/identity/account-cookies';
import {
  addPerson,
  addSecret,
  type Browser,
  register,
  signIn,
  type World,
} from '../../../identity/oauth/authorization/recorded-facts';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { gatewayVariables } from '../../../support/http/internal-keys';
import {
  type AuthorizationServer,
  clientSecret,
  publicClient,
  recordedClients,
  redirectUri,
  secretClient,
} from '../../../support/identity/oauth-flows';
import { openScriptlessBrowser } from '../../../support/identity/scriptless-browser';
import { part } from '../../../support/processes/stream-processes';
import { startNodeHere } from '../../../support/servers/event-store-node';
import { valkeyForTests } from '../../../support/servers/shared-servers';

const port = async (): Promise<number> => (await freePort()) as number;

const startParts = async (EVENTSTORE_URL: string, REDIS_URL: string, directory: string) => {
  const [first, second, gatewayPort] = [await port(), await port(), await port()];
  const url = `http://127.0.0.1:${gatewayPort}`;
  const shared = { EVENTSTORE_URL, REDIS_URL, ...gatewayVariables, ISSUER: url, LOG_LEVEL: 'error' };
  const keys = { MASTER_KEY: randomBytes(32).toString('base64url'), KEYS_DIR: `${directory}/keys` };
  const commands = (number: number) => part('commands/command-api.main', { ...shared, ...keys, PORT: String(number) });
  const COMMANDS_URL = [first, second].map((number) => `http://127.0.0.1:${number}`).join();
  const reading = { COMMANDS_URL, READ_API_URL: `http://127.0.0.1:${first}` };
  const gateway = part('infra/gateway/main', { ...shared, ...reading, PUBLIC_URL: url, PORT: String(gatewayPort) });
  return { url, parts: await Promise.all([gateway, commands(first), commands(second)]) };
};

const settle = async (world: World): Promise<Browser> => {
  const grantTypes = ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'] as const;
  const metadata = { redirectUris: [redirectUri], audiences: ['septet'] };
  await register(world, publicClient, { ...metadata, firstParty: true, grantTypes: [...grantTypes] });
  await register(world, secretClient, { ...metadata, authentication: 'client_secret_basic' });
  await addSecret(world, secretClient, clientSecret);
  await addPerson(world, 'acme.p-1', ['principals:read']);
  return signIn(world, 'acme.p-1');
};

export const startAuthorizationProcesses = async () => {
  const { path, remove } = temporaryDirectory('authorization');
  const node = await startNodeHere(`${path}/log`);
  const redis = (await valkeyForTests()).url;
  const { url, parts } = await startParts(node.url, redis, path);
  const [store, live] = [openEventStore({ url: node.url }), openRedisSessionActivity(redis)];
  const clock = { now: () => new Date().toISOString() as Instant };
  const world: World = { store, clock, browsers: { cookies: accountCookies(url), live } };
  const { cookie } = await settle(world);
  const [name = '', value = ''] = cookie.split('=');
  const authorizationServer: AuthorizationServer = {
    issuer: url,
    fetch,
    browser: () => openScriptlessBrowser(url, fetch, new Map([[name, value]])),
    secondsAhead: 0,
    ...recordedClients,
  };
  const close = async (): Promise<void> => {
    await Promise.all(parts.map(({ stop }) => stop()));
    await Promise.all([store.close(), live.close()]);
    await node.stop();
    remove();
  };
  return { authorizationServer, world, close };
};
