/** A whole system with a repository, whose workflows benches start through the gateway and time by the events of their runs. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import { type RunEvent, runs } from '../../../domain/workflow/run/events';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { contentOf, openTenant } from '../../support/identity/tenant';
import { openSystem, startSystem } from '../../support/processes/running-system';
import {
  elasticsearchForTests,
  postgresForTests,
  stopServers,
  valkeyForTests,
} from '../../support/servers/shared-servers';
import { pauseAfter } from '../../support/waiting/eventually';
import { commitFiles, gitWorks } from '../../support/workflow/git-client';

export interface TimedEvent {
  readonly event: RunEvent;
  /** When it was recorded, in milliseconds since 1970. */
  readonly at: number;
}

const longestMilliseconds = 300_000;

/** `workflows`: the content of a workflow file by the branch whose push starts it. */
export const startWorkflows = async (workflows: { readonly [branch: string]: string }) => {
  const home = temporaryDirectory('bench-workflow');
  const [postgres, valkey, elasticsearch] = await Promise.all([
    postgresForTests(),
    valkeyForTests(),
    elasticsearchForTests(),
  ]);
  const stores = { postgres: postgres.url, valkey: valkey.url, elasticsearch: elasticsearch.url };
  const running = await startSystem(home.path, stores);
  const system = openSystem(running.address);
  const tenant = await openTenant(system);
  const { id: repoId, clone_url: cloneUrl } = await contentOf<{ id: string; clone_url: string }>(
    tenant.send('POST', '/v1/workflow/repositories', { name: 'bench' }),
  );
  const checkout = join(home.path, 'bench');
  mkdirSync(checkout);
  await gitWorks(checkout, 'init', '--quiet', '--initial-branch=start');
  const files = Object.entries(workflows).map(([branch, text]) => [`.github/workflows/${branch}.yml`, text]);
  const commitSha = await commitFiles(checkout, Object.fromEntries(files) as Record<string, string>);
  const url = new URL(cloneUrl);
  Object.assign(url, { username: 'bench', password: tenant.adminToken });
  await gitWorks(checkout, 'push', '--quiet', url.href, 'start');
  const { EVENTSTORE_WRITER_URL: log } = JSON.parse(readFileSync(join(running.address.data, 'run.json'), 'utf8')) as {
    readonly EVENTSTORE_WRITER_URL: string;
  };
  const store = openEventStore({ url: log });

  const eventsOf = async (eventId: string): Promise<readonly TimedEvent[]> => {
    const found: TimedEvent[] = [];
    const prefix = `workflow.run-${tenant.tenantId}.${eventId}`;
    for await (const { type, data, metadata } of store.readAll({ after: null, filter: { streams: [prefix] } })) {
      const event = runs.decode(type, data);
      if (!isRight(event)) throw new Error(type);
      found.push({ event: event.right, at: Date.parse((metadata as { readonly at: string }).at) });
    }
    return found;
  };

  /** Resolves once the run of that branch has an event that the caller waits for. */
  const until = async (eventId: string, type: RunEvent['type']): Promise<readonly TimedEvent[]> => {
    const began = Date.now();
    for (;;) {
      const found = await eventsOf(eventId);
      if (found.some(({ event }) => event.type === type)) return found;
      if (Date.now() - began > longestMilliseconds) throw new Error(`no ${type} of ${eventId}`);
      await pauseAfter(Date.now() - began);
    }
  };

  const begin = async (branch: string): Promise<string> => {
    const body = { eventType: 'push', branch, commitSha, actorId: 'bench' };
    const answer = await contentOf<{ eventId: string; accepted: boolean }>(
      tenant.send('POST', `/repos/${repoId}/events`, body),
    );
    if (!answer.accepted) throw new Error(`no workflow of ${branch}`);
    return answer.eventId;
  };

  const close = async (): Promise<void> => {
    await store.close();
    await system.close();
    await running.stop();
    await stopServers();
    home.remove();
  };
  return { tenant, begin, until, kill: running.kill, url: system.url, close };
};

export const workflowOf = (branch: string, script: string): string => `name: ${branch}
on: { push: { branches: [${branch}] } }
jobs:
  job:
    runs-on: ubuntu-latest
    steps:
      - run: ${script}
`;

export const timeOf = (events: readonly TimedEvent[], type: RunEvent['type']): number =>
  events.find(({ event }) => event.type === type)?.at ?? Number.NaN;
