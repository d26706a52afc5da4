/** The part of the workflow service that shows logs: routes, a socket, and what wakes their viewers when a run changes. */
import { isLeft } from 'fp-ts/Either';
import { parseStreamName } from '../../../domain/kernel/ids';
import { runs } from '../../../domain/workflow/run/events';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { pause, resumeUntilAborted } from '../../../infra/runtime/backoff';
import { logOutage } from '../../../infra/runtime/outage';
import type { WorkflowPart, WorkflowPlatform } from '../platform';
import { openLogPages } from './log-pages';
import { logRoutes } from './routes';
import { openRunStatuses, type RunStatuses } from './run-statuses';
import { logSocket } from './socket';

const pauseMilliseconds = 200;

/** Ends the log of an attempt that has ended, for viewers. Repeating it has no effect, so every copy may. */
const endLog = async ({ logs, log }: WorkflowPlatform, stored: StoredEvent): Promise<void> => {
  const tenantId = parseStreamName(stored.stream)?.tenant;
  const event = runs.decode(stored.type, stored.data);
  if (tenantId === undefined || isLeft(event)) return;
  if (event.right.type !== 'JobCompleted' && event.right.type !== 'JobLost') return;
  const { runId, jobId, attempt } = event.right.data;
  const chunks = event.right.type === 'JobCompleted' ? event.right.data.logChunks : null;
  const ended = await logs.end({ tenantId, runId, jobId, attempt }, chunks);
  if (isLeft(ended)) log.warn({ detail: ended.left.detail }, 'a log could not be ended; its next viewer ends it');
};

/** From now on: what was before, viewers read themselves. */
const followRuns = async (platform: WorkflowPlatform, statuses: RunStatuses): Promise<void> => {
  const { store, signal, log } = platform;
  let after: bigint | null | undefined;
  while (after === undefined && !signal.aborted) {
    const head = await store.head();
    if (isLeft(head)) await pause(pauseMilliseconds, signal);
    else after = head.right;
  }
  const follow = async (progress: () => void): Promise<void> => {
    const from = after ?? null;
    for await (const item of store.subscribeAll({ after: from, filter: { streams: ['workflow.run-'] }, signal })) {
      progress();
      if (item.kind === 'caught-up') continue;
      if (item.kind === 'event') {
        await endLog(platform, item.event);
        statuses.changed(item.event.stream);
      }
      after = item.kind === 'event' ? item.event.position : item.position;
    }
  };
  await resumeUntilAborted(follow, {
    signal,
    ...logOutage(log, {
      failing: 'following runs for viewers of logs failed; it is resumed',
      recovered: 'runs are followed for viewers of logs again',
    }),
  });
};

export const openLogs = (platform: WorkflowPlatform): WorkflowPart => {
  const statuses = openRunStatuses(platform);
  const deps = { ...platform, pages: openLogPages(platform.logs), statuses };
  return { routes: logRoutes(deps), sockets: [logSocket(deps)], background: [followRuns(platform, statuses)] };
};
