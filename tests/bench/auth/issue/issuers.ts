/** Token issuers: ours over a real log, and the rival over its memory. Both are called over HTTP on kept-alive connections. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import type { PrincipalType } from '../../../../domain/identity/ids';
import { principalStream, principals } from '../../../../domain/identity/principal/events';
import type { PrincipalId } from '../../../../domain/kernel/ids';
import type { EventStore } from '../../../../infra/ports/event-store';
import {
  type Form,
  type RefreshStage,
  startRefreshStage,
  type TestResponse,
} from '../../../contracts/identity/refresh-tokens/fixture';
import { noon, scope, tenantId } from '../../../identity/examples';
import { appSecret, record, registerApplication } from '../../../identity/grants/fixture';
import { rivalProgram } from '../../rival';

export type Kind = 'confidential' | 'open';

export interface Side {
  readonly call: (index: number, form: Form) => Promise<TestResponse>;
  readonly mint: (kind: Kind, count: number) => Promise<readonly string[]>;
  readonly refresh: (kind: Kind, token: string) => Form;
  readonly service: Form;
  /** Seconds of a core that its processes have used so far; of the log's too. */
  readonly spent: () => number;
  readonly stop: () => Promise<void>;
}

const ticksPerSecond = 100;

const spentBy = (pid: number): number => {
  const [user = 0, system = 0] =
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? [];
  return (user + system) / ticksPerSecond;
};
const sum = (seconds: readonly number[]): number => seconds.reduce((one, other) => one + other, 0);

const refreshWith = (clientId: string, token: string, secret: Form): Form => ({
  grant_type: 'refresh_token',
  refresh_token: token,
  client_id: clientId,
  ...secret,
});

const registered = async (stage: Pick<RefreshStage, 'store'>, principalType: PrincipalType): Promise<PrincipalId> => {
  const principalId = randomUUID() as string as PrincipalId;
  const scopes = [scope('principals:read')];
  await record(
    stage,
    [principalStream(tenantId, principalId), principals],
    [
      { type: 'PrincipalRegistered', data: { principalId, tenantId, principalType, createdAt: noon } },
      { type: 'ScopesGranted', data: { principalId, scopes } },
    ],
  );
  return principalId;
};

export const startOurs = async (processes: number): Promise<Side & { readonly store: EventStore }> => {
  const stage = await startRefreshStage(processes);
  const { clients, commands, node, store } = stage;
  const principalId = await registered({ store }, 'PIPELINE');
  const job = await registerApplication({ store }, `job-${randomUUID()}`, {
    authentication: 'client_secret_post',
    grantTypes: ['client_credentials'],
    redirectUris: [],
    scopes: [scope('principals:read')],
    servicePrincipalId: principalId,
  });
  const secret = { client_secret: appSecret };
  return {
    store,
    call: stage.call,
    // Each of its own person, so that no rotation is faster because an earlier one loaded the same person.
    mint: async (kind, count) => {
      const opened = await Promise.all(
        Array.from({ length: count }, async () =>
          stage.openGrant(clients[kind], { principalId: await registered({ store }, 'HUMAN') }),
        ),
      );
      return opened.map(({ refreshToken }) => refreshToken);
    },
    refresh: (kind, token) => refreshWith(clients[kind], token, kind === 'open' ? {} : secret),
    service: { grant_type: 'client_credentials', client_id: job, ...secret },
    spent: () => sum([...commands.map(({ pid }) => spentBy(pid())), spentBy(node.pid)]),
    stop: stage.stop,
  };
};

const nextMessage = <Message>(child: ChildProcess): Promise<Message> =>
  new Promise((resolve) => child.once('message', (message) => resolve(message as Message)));

export const startRival = async (): Promise<Side> => {
  const options = { execArgv: ['-r', 'tsx/cjs'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] as never };
  const child = fork(rivalProgram(join(__dirname, 'oidc-provider')), [], options);
  const { port } = await nextMessage<{ readonly port: number }>(child);
  const agent = new Agent({ connections: 64, pipelining: 1 });
  const secret = { client_secret: 'secret' };
  return {
    call: async (_, form) => {
      const { statusCode, body } = await request(`http://127.0.0.1:${port}/token`, {
        method: 'POST',
        dispatcher: agent,
        body: String(new URLSearchParams(form)),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      return { status: statusCode, body: (await body.json()) as TestResponse['body'] };
    },
    mint: async (clientId, count) => {
      child.send({ clientId, count });
      const { tokens, failed } = await nextMessage<{ readonly tokens?: readonly string[]; readonly failed?: string }>(
        child,
      );
      if (tokens === undefined) throw new Error(failed);
      return tokens;
    },
    refresh: (kind, token) => refreshWith(kind, token, kind === 'open' ? {} : secret),
    service: { grant_type: 'client_credentials', client_id: 'confidential', scope: 'read', ...secret },
    spent: () => spentBy(child.pid as number),
    stop: async () => {
      await agent.close();
      child.kill();
    },
  };
};
