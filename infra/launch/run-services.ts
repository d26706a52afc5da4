/** Our own processes, as supervised children or inside this one. */
import { isLeft } from 'fp-ts/Either';
import type { Log } from '../ports/runtime/log';
import type { Service } from '../runtime/service';
import { type LaunchContext, serviceEnv, serviceScript } from './service-environment';
import { type Supervised, supervise } from './supervisor';
import { type Logs, step } from './terminal-output';

export interface Group {
  /** In the reverse of the order they were started. */
  readonly stop: () => Promise<void>;
}

interface Work {
  readonly log: Log;
  readonly logs: Logs;
  readonly names: readonly string[];
  readonly around: LaunchContext;
}

export const runChildren = async ({ log, logs, names, around }: Work): Promise<Group> => {
  const children: Supervised[] = [];
  const begin = (name: string): Promise<void> => {
    const child = supervise(log, {
      name,
      script: [serviceScript(name)],
      env: serviceEnv(name, around),
      line: logs.lineOf(name),
      ready: () => step(name, 'ready'),
    });
    children.push(child);
    return child.started;
  };
  const stop = async (): Promise<void> => {
    // The gateway first, so that nothing new comes in while the others finish.
    for (const child of children.toReversed()) await child.stop();
  };
  try {
    // The gateway last: it begins by asking the others.
    await Promise.all(names.filter((name) => name !== 'gateway').map(begin));
    await Promise.all(names.filter((name) => name === 'gateway').map(begin));
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
};

/** For a debugger: every service in this process. */
export const runInside = async ({ names, around }: Work): Promise<Group> => {
  const stops: (() => Promise<void>)[] = [];
  for (const name of names) {
    const { service } = require(serviceScript(name)) as { readonly service: Service };
    const started = await service.start({ ...process.env, ...serviceEnv(name, around) });
    if (isLeft(started)) throw new Error(`${name} cannot start: ${JSON.stringify(started.left)}`);
    stops.push(started.right.close);
    step(name, 'ready');
  }
  return {
    stop: async () => {
      for (const stop of stops.toReversed()) await stop();
    },
  };
};
