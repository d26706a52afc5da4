/** One of every kind of data in an installation of `npm start`, and what is seen of it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { usageStream } from '../../../domain/ratelimit/usage/events';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { ok } from '../../contracts/views/suite/view-store';
import { issueTokenTo } from '../../support/identity/tenant';
import { eventually } from '../../support/waiting/eventually';
import { commitFiles, gitWorks } from '../../support/workflow/git-client';
import {
  callerOf,
  type Filled,
  type Filling,
  fillInstallation,
  readInstallation,
  withPassword,
} from '../installation/contents';

type Installation = Parameters<typeof fillInstallation>[0];
type Caller = ReturnType<typeof callerOf>;

const quotaId = 'mWf1k0m1v3a8Qm8h6jv0r2T5x9c';

const usageOf = async ({ read }: Caller): Promise<number> => {
  const { items } = await read<{ items: readonly { used: number }[] }>(`/v1/ratelimit/usage?quotaId=${quotaId}`);
  return items.reduce((sum, { used }) => sum + used, 0);
};

/** As the limiter records it, which alone may. Resolves when the view shows it. */
const addUsage = async (caller: Caller, logUrl: string): Promise<void> => {
  const before = await usageOf(caller);
  const [startsAt, endsAt] = ['2026-01-01T00:00:00.000Z', '2036-01-01T00:00:00.000Z'];
  const store = openEventStore({ url: logUrl });
  const id = randomUUID();
  const at = new Date().toISOString() as Instant;
  const caused = { $correlationId: id, $causationId: id, commandId: id, commandHash: 'h' };
  const metadata = { ...caused, tenant: 'main', actor: 'ratelimit', at };
  const quotas = [{ quotaId, startsAt, endsAt, amount: 12, total: before + 12 }];
  const event = { id, type: 'ratelimit.UsageAggregated.v1', data: { usedAt: at, quotas }, metadata };
  ok(await store.append(usageStream('main' as TenantId, at), 'any', [event]));
  await store.close();
  await eventually(async () => assert.ok((await usageOf(caller)) > before));
};

const signedIn = async (installation: Installation, { credential }: Pick<Filling, 'credential'>): Promise<Caller> =>
  callerOf(installation, await issueTokenTo(installation, credential));

export interface UpgradeFilling extends Filling {
  readonly log: string;
}

export const fill = async (installation: Installation, filling: UpgradeFilling): Promise<Filled> => {
  await addUsage(await signedIn(installation, filling), filling.log);
  return fillInstallation(installation, filling);
};

export const readContents = async (installation: Installation, filled: Filled, directory: string) => ({
  ...(await readInstallation(installation, filled, directory)),
  usage: await usageOf(await signedIn(installation, filled)),
});
export type Seen = Awaited<ReturnType<typeof readContents>>;

/** Edits the document and pushes to the repository that are there already. */
export const continueWith = async (installation: Installation, filled: Filled, directory: string): Promise<void> => {
  const { url } = installation;
  const token = await issueTokenTo(installation, filled.credential);
  const caller = callerOf(installation, token);
  const { documentId } = filled.documents;
  const { clientId } = await caller.make<{ clientId: string }>(`/v1/documents/${documentId}/clients`, {});
  const node = { id: `${clientId}:1`, type: 'rect', parentId: null, orderKey: 'a1', properties: {} };
  const operation = {
    opId: `${clientId}-1`,
    documentId,
    actorId: 'me',
    clientSeq: 1,
    baseVersion: 1,
    type: 'createNode',
    targetIds: [node.id],
    payload: { nodes: [node] },
    createdAt: new Date().toISOString(),
  };
  await caller.make(`/v1/documents/${documentId}/operations:batch`, { clientId, operations: [operation] });
  const { pieces } = await caller.read<{ pieces: readonly object[] }>(`/v1/documents/${documentId}/versions/2`);
  assert.ok(pieces.length > 0);

  const { repository, runId } = filled.run;
  const checkout = `${directory}/checkout-${randomUUID()}`;
  await gitWorks(directory, 'clone', '--quiet', withPassword(repository.clone_url, token), checkout);
  await commitFiles(checkout, { 'later.txt': `${url}\n` });
  await gitWorks(checkout, 'push', '--quiet', 'origin', 'HEAD:main');
  await eventually(async () => {
    const { items } = await caller.read<{ items: readonly { runId: string }[] }>(
      `/repos/${repository.id}/actions/runs`,
    );
    assert.deepEqual([items.length, items.some((run) => run.runId === runId)], [2, true]);
  });
};
