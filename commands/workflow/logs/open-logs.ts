/** The part of the workflow service that shows logs: routes, a socket, and the ends of logs. */
import { isLeft } from 'fp-ts/Either';
import { runs as runEvents } from '../../../domain/workflow/run/events';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { openLogPages } from '../../../infra/server/workflow/log-pages';
import { type WorkflowAdapters, workflowPart } from '../adapters';
import { runOfStream } from '../runs/run-registry';
import { logRoutes } from './routes';
import { openRunStatuses } from './run-statuses';
import { logSocket } from './socket';

/** At once. Beyond them an end is left to the log's next viewer, or to retention. */
const mostEnding = 1_000;
const endings = ['workflow.JobCompleted.', 'workflow.JobLost.'];

/** Ends the log of an attempt that has ended, for viewers. Repeating it has no effect, so every copy may. */
const endLog = async ({ logs, log }: WorkflowAdapters, { stream, type, data }: StoredEvent): Promise<void> => {
  const run = runOfStream(stream);
  const event = runEvents.decode(type, data);
  if (run === undefined || isLeft(event)) return;
  if (event.right.type !== 'JobCompleted' && event.right.type !== 'JobLost') return;
  const { jobId, attempt } = event.right.data;
  const chunks = event.right.type === 'JobCompleted' ? event.right.data.logChunks : null;
  const ended = await logs.end({ ...run, jobId, attempt }, chunks);
  if (isLeft(ended)) log.warn({ detail: ended.left.detail }, 'a log could not be ended; its next viewer ends it');
};

const open = (adapters: WorkflowAdapters) => {
  const { runs, log, logs } = adapters;
  const statuses = openRunStatuses(runs);
  const ending = new Set<Promise<void>>();
  runs.listen({
    onEvent: (stored) => {
      const isEnd = endings.some((type) => stored.type.startsWith(type));
      if (!isEnd || ending.size >= mostEnding) return statuses.changed(stored.stream);
      // Its viewers are woken after that: they end a log that has no end, without its number of chunks.
      const end = endLog(adapters, stored)
        .catch((error: unknown) => log.error({ error }, 'defect in ending a log'))
        .finally(() => {
          ending.delete(end);
          statuses.changed(stored.stream);
        });
      ending.add(end);
    },
  });
  const deps = { ...adapters, pages: openLogPages(logs), statuses };
  return { deps, sockets: [logSocket(deps)], close: () => Promise.all(ending) };
};

export const logPart = workflowPart({ open, routes: logRoutes });
