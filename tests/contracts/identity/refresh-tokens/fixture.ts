/** Several command APIs as processes over one node, with a person and applications, called as the gateway calls them. */
import { randomBytes, randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { Agent, request } from 'undici';
import { openGrant } from '../../../../commands/identity/grants/open-grant';
import { noCommandMetrics } from '../../../../commands/kernel/command-metrics';
import type { ClientId } from '../../../../domain/identity/ids';
import type { Instant } from '../../../../domain/kernel/codec';
import { plusSeconds } from '../../../../domain/kernel/instant';
import { openEventStore } from '../../../../infra/adapters/eventstore/event-store';
import { openFileKeystore } from '../../../../infra/adapters/kms/file-keystore';
import { MasterKeyText } from '../../../../infra/adapters/kms/master-key';
import { freePort } from '../../../../infra/operate/launch/free-port';
import type { EventStore } from '../../../../infra/ports/event-store';
import { identityHeader, signCaller } from '../../../../infra/server/http/identity/identity-header';
import type { Identity } from '../../../../infra/server/http/routing/route';
import { scope, tenantId } from '../../../identity/examples';
import { issuer, type Opening, personId, registerApplication, registerPerson } from '../../../identity/grants/fixture';
import { guard } from '../../../identity/revocation/fixture';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { commandsVariables, macSigner, serviceVariables } from '../../../support/http/internal-keys';
import { type Part, part } from '../../../support/processes/stream-processes';
import { startEventStoreNode } from '../../../support/servers/event-store-node';

const masterKey = randomBytes(32).toString('base64url');
const clock = { now: () => new Date().toISOString() as Instant };

export interface TestResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export type Form = Readonly<Record<string, string>>;

interface Sent {
  readonly identity: Identity | undefined;
  readonly body: string;
  readonly type: string;
}

/** Over connections that are kept, as the gateway's are. */
const openCaller = (ports: readonly number[]) => {
  const agent = new Agent({ connections: 64, pipelining: 1 });
  const post = async (index: number, target: string, sent: Sent): Promise<TestResponse> => {
    const requestId = randomUUID();
    const line = { method: 'POST', target };
    const signed = signCaller({ identity: sent.identity, requestId }, { signer: macSigner, line, now: Date.now() });
    const { statusCode, body } = await request(`http://127.0.0.1:${ports[index % ports.length]}${target}`, {
      method: 'POST',
      dispatcher: agent,
      body: sent.body,
      headers: { [identityHeader]: signed, 'content-type': sent.type },
    });
    return { status: statusCode, body: (await body.json()) as TestResponse['body'] };
  };
  return {
    call: (index: number, form: Form): Promise<TestResponse> =>
      post(index, '/oauth/token', {
        identity: undefined,
        body: String(new URLSearchParams(form)),
        type: 'application/x-www-form-urlencoded',
      }),
    /** As a principal with the right to revoke tokens. */
    order: (index: number, target: string, body: object): Promise<TestResponse> =>
      post(index, target, { identity: guard, body: JSON.stringify(body), type: 'application/json' }),
    close: () => agent.close(),
  };
};

const opener = (store: EventStore, directory: string) => {
  const decoded = MasterKeyText.decode(masterKey);
  if (isLeft(decoded)) throw new Error('this is no master key');
  const kms = openFileKeystore({ directory, masterKey: decoded.right });
  if (isLeft(kms)) throw new Error(kms.left.detail);
  return async (clientId: ClientId, changes: Opening = {}) => {
    const at = clock.now();
    const opened = await openGrant(
      { store, commandMetrics: noCommandMetrics, clock, kms: kms.right },
      {
        tenantId,
        principalId: personId,
        principalType: 'HUMAN',
        securityEpoch: 1,
        clientEpoch: 0,
        idTokenClaims: [],
        clientId,
        audience: ['septet'],
        scopes: ['principals:read', 'offline_access'].map(scope),
        sessionId: null,
        binding: null,
        offline: true,
        authentication: { at, methods: ['pwd'] },
        refreshIdleSeconds: 3_600,
        expiresAt: plusSeconds(at, 86_400),
        at,
        requestId: 'request-1',
        derivedFrom: randomUUID(),
        ...changes,
      },
    );
    if (isLeft(opened) || opened.right.refreshToken === null) throw new Error('the grant was not opened');
    return { ...opened.right, refreshToken: opened.right.refreshToken };
  };
};

const startCommands = async (url: string, directory: string, port: number): Promise<Part> =>
  part('commands/command-api.main', {
    EVENTSTORE_URL: url,
    ...commandsVariables,
    MASTER_KEY: masterKey,
    KEYS_DIR: directory,
    ISSUER: issuer,
    PORT: String(port),
    LOG_LEVEL: 'error',
  });

export const startRefreshStage = async (processes: number) => {
  const { path, remove } = temporaryDirectory('refresh');
  const node = await startEventStoreNode(`${path}/log`);
  const store = openEventStore({ url: node.url });
  await registerPerson({ store });
  const [open, confidential] = await Promise.all([
    registerApplication({ store }, 'open'),
    registerApplication({ store }, 'confidential', { authentication: 'client_secret_post' }),
  ]);
  const ports: number[] = [];
  const commands: Part[] = [];
  for (let index = 0; index < processes; index += 1) {
    ports.push((await freePort()) as number);
    commands.push(await startCommands(node.url, `${path}/keys`, ports[index] as number));
  }
  const caller = openCaller(ports);
  return {
    store,
    node,
    commands,
    clients: { open, confidential },
    openGrant: opener(store, `${path}/keys`),
    call: caller.call,
    order: caller.order,
    startProcesses: async (postgresUrl: string): Promise<Part> =>
      part('commands/processes.main', {
        EVENTSTORE_URL: node.url,
        POSTGRES_URL: postgresUrl,
        ...serviceVariables,
        MASTER_KEY: masterKey,
        KEYS_DIR: `${path}/vault`,
        PORT: String(await freePort()),
        LOG_LEVEL: 'error',
      }),
    stop: async (): Promise<void> => {
      await caller.close();
      await Promise.all(commands.map(({ stop }) => stop()));
      await store.close();
      await node.stop();
      remove();
    },
  };
};

export type RefreshStage = Awaited<ReturnType<typeof startRefreshStage>>;
