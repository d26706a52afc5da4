/** A log, the part of repositories over it, and the gateway as a process in front, for the real `git` client. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { isLeft, isRight, right } from 'fp-ts/Either';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { handle } from '../../../commands/kernel/handle';
import type { WorkflowAdapters } from '../../../commands/workflow/adapters';
import { repositoryPart } from '../../../commands/workflow/repositories/open-repositories';
import { openRunRegistry } from '../../../commands/workflow/runs/run-registry';
import { signingKey } from '../../../domain/identity/signing-keys/decider';
import { signingKeysStream } from '../../../domain/identity/signing-keys/events';
import type { NewSigningKey } from '../../../domain/identity/signing-keys/state';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { limits } from '../../../domain/workflow/limits';
import { triggers } from '../../../domain/workflow/trigger/events';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import type { RemoteBounds } from '../../../infra/adapters/git/fetch-remote';
import { openGit } from '../../../infra/adapters/git/open-git';
import { listPending } from '../../../infra/adapters/git/pending-pushes';
import { freePort } from '../../../infra/operate/launch/free-port';
import type { Definitions } from '../../../infra/ports/workflow/definitions';
import type { OrganizationLimits } from '../../../infra/ports/workflow/job-claims';
import { openMetrics } from '../../../infra/server/runtime/metrics';
import { openAccessTokens } from '../../../infra/server/security-state/access-tokens';
import { createSecurityState } from '../../../packages/resource-server/src/verification/index';
import { temporaryDirectory } from '../files/temporary-directory';
import { jwksRoute, tokenAt } from '../gateway/gateway';
import { claimsAt, signingKey as newSigningKey, type SigningKey, tokenWith } from '../gateway/tokens';
import { capturedLog, startHttpService } from '../http/http-service';
import { gatewayVariables } from '../http/internal-keys';
import { typescript } from '../runner/compiled';
import { requirePrerequisites } from '../runner/prerequisites';
import { startNodeHere } from '../servers/event-store-node';
import { eventually } from '../waiting/eventually';

const main = join(__dirname, '../../contracts/workflow/gateway.main.ts');

const startGatewayProcess = async (env: Record<string, string>): Promise<ChildProcess> => {
  const child = fork(main, [], {
    execArgv: typescript(),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the gateway ended with ${code}`)));
  await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return child;
};

/** Files here have `on: <event>` as their first line, `unreadable` among others. */
const firstLines: Pick<Definitions, 'readTriggers'> = {
  readTriggers: async (yaml, _tenantId, { eventType }) => {
    const [line = '', name] = Buffer.from(yaml).toString('utf8').split('\n');
    if (line === 'unreadable') return { _tag: 'Left', left: [{ message: 'Unreadable.', line: 1, column: 1 }] };
    return right({ name: name === '' ? undefined : name, matches: line.includes(eventType), inputs: [] });
  },
};

const adoptKey = async (store: WorkflowAdapters['store'], { kid, jwk }: SigningKey, at: Instant): Promise<void> => {
  const { kty, crv, x, y } = jwk;
  const active = {
    kid,
    algorithm: 'ES256',
    publicKey: { kty, crv, x, y },
    keystore: 'test',
  } as unknown as NewSigningKey;
  const adopted = await handle({ store, commandMetrics: noCommandMetrics, clock: { now: () => at } }, signingKey, {
    stream: signingKeysStream,
    command: { type: 'AdoptKeys', active, earlier: [], at },
    commandId: randomUUID(),
    tenant: 'main' as TenantId,
    actor: 'test',
    correlationId: 'test',
  });
  assert.ok(isRight(adopted));
};

export interface GitSystemOptions {
  readonly maxPushBytes?: number;
  readonly remote?: RemoteBounds;
  /** Left out: files here have `on: <event>` as their first line. */
  readonly definitions?: Pick<Definitions, 'readTriggers'>;
}

export const startGitSystem = async ({ maxPushBytes, remote, definitions = firstLines }: GitSystemOptions = {}) => {
  await requirePrerequisites('git');
  const { path, remove } = temporaryDirectory('git');
  const node = await startNodeHere(join(path, 'log'));
  const store = openEventStore({ url: node.url });
  const clock = { now: () => new Date().toISOString() as Instant };
  // The gateway of the tests has a key of its own, whose id the log would refuse.
  const key = newSigningKey(randomBytes(32).toString('base64url'));
  await adoptKey(store, key, clock.now());
  const revocations = createSecurityState();
  revocations.apply({ kind: 'heartbeat', sequence: null });
  const log = capturedLog();
  const opened = await openGit({
    directory: join(path, 'repositories'),
    log,
    files: { maxFiles: limits.definitionFiles, maxBytes: limits.definitionBytes },
    ...(maxPushBytes === undefined ? {} : { maxPushBytes }),
    ...(remote === undefined ? {} : { remote }),
  });
  if (isLeft(opened)) throw new Error(opened.left);
  const git = opened.right;
  const port = (await freePort()) as number;
  const url = `http://127.0.0.1:${port}`;
  const stopping = new AbortController();
  const organizationLimits: OrganizationLimits[] = [];
  const jobKey = randomBytes(32);
  const warm = createExclusiveAggregates();
  const adapters = {
    commandMetrics: noCommandMetrics,
    ...{ store, warm, runs: openRunRegistry({ store, warm, log, signal: stopping.signal }) },
    clock,
    random: { uuid: randomUUID, token: (bytes: number) => randomBytes(bytes).toString('base64url') },
    log,
    metrics: openMetrics('test'),
    definitions,
    git,
    claims: {
      setLimits: async (changed: OrganizationLimits) => {
        organizationLimits.push(changed);
        return right(undefined);
      },
    },
    accessTokens: openAccessTokens({ store, revocations, issuer: 'http://septet.test', audience: 'septet', log }),
    publicUrl: url,
    jobKey,
    signal: stopping.signal,
  } as unknown as WorkflowAdapters;
  const part = repositoryPart.open(adapters);
  const commands = await startHttpService([jwksRoute]);
  const service = await startHttpService(part.routes);
  const gateway = await startGatewayProcess({
    ...gatewayVariables,
    EVENTSTORE_URL: node.url,
    PORT: String(port),
    PUBLIC_URL: url,
    ISSUER: 'http://septet.test',
    COMMANDS_URL: commands.url,
    READ_API_URL: commands.url,
    WORKFLOW_URL: service.url,
    LOG_LEVEL: 'error',
  });
  const scopes = ['workflows:read', 'workflows:write', 'workflows:admin'];
  /** Of requests that the gateway checks. */
  const bearer = (changes: object = {}): string => tokenAt(Date.now(), { scopes, ...changes });
  /** A password of Git. */
  const token = (changes: object = {}): string => tokenWith(key, claimsAt(Date.now(), { scopes, ...changes }));
  return {
    url,
    path,
    adapters,
    log,
    jobKey,
    organizationLimits,
    revocations,
    bearer,
    token,
    /** With the token in it, as a client without a prompt takes it. */
    cloneUrl: (name: string, password = token(), tenant = 'acme'): string =>
      `http://x:${password}@127.0.0.1:${port}/git/${tenant}/${name}.git`,
    call: (method: string, target: string, body?: object, headers: Record<string, string> = {}) =>
      fetch(`${url}${target}`, {
        method,
        headers: { Authorization: `Bearer ${bearer()}`, 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    /** Recorded events of repositories, the oldest first, once no push waits to be recorded. */
    received: async () => {
      await eventually(async () => assert.deepEqual(await listPending(join(path, 'repositories')), []));
      const events = [];
      for await (const { type, data } of store.readAll({
        after: null,
        filter: { types: ['workflow.TriggerReceived.'] },
      })) {
        const event = triggers.decode(type, data);
        if (isRight(event)) events.push(event.right.data);
      }
      return events;
    },
    close: async (): Promise<void> => {
      gateway.kill('SIGTERM');
      await once(gateway, 'exit');
      await Promise.all([service.close(), commands.close()]);
      stopping.abort();
      await Promise.all(part.background ?? []);
      await git.close();
      await store.close();
      await node.stop();
      remove();
    },
  };
};

export type GitSystem = Awaited<ReturnType<typeof startGitSystem>>;
