import { Logger, makeWorkerUtils, run, runMigrations } from 'graphile-worker';
import { concurrency, createJobCounter, type GraphileQueue } from './job-counter';

const task = 'bench';
const connections = 10;
const logger = new Logger(() => () => undefined);

export const openGraphileQueue: GraphileQueue['openGraphileQueue'] = async (connectionString) => {
  await runMigrations({ connectionString, logger });
  const counter = createJobCounter();
  const utils = await makeWorkerUtils({ connectionString, maxPoolSize: connections, logger });
  const taskList = { [task]: async () => counter.started() };
  return {
    counter,
    enqueue: async (number) => {
      await utils.addJob(task, { number }, { jobKey: String(number) });
    },
    start: async (workers) => {
      const options = {
        connectionString,
        maxPoolSize: connections,
        concurrency,
        noHandleSignals: true,
        logger,
        taskList,
      };
      const running = await Promise.all(Array.from({ length: workers }, () => run(options)));
      return async () => {
        await Promise.all(running.map((one) => one.stop()));
      };
    },
    close: async () => utils.release(),
  };
};
