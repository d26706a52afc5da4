/** Our own processes, as supervised children or inside this one. */
import { once } from 'node:events';
import { isLeft } from 'fp-ts/Either';
import type { Log } from '../ports/runtime/log';
import type { Service } from '../runtime/service';
import { OperatorError } from './operator-error';
import { type LaunchContext, serviceEnv, serviceScript } from './service-environment';
import { couldNotStart, type Supervised, supervise } from './supervisor';
import { type Logs, step } from './terminal-output';

export interface Group {
  /** In the reverse of the order they were started. */
  readonly stop: () => Promise<void>;
}

/** Without these nothing answers. For the others the gateway reports what is missing. */
const essential: readonly string[] = ['gateway', 'commands', 'read-api'];

interface Work {
  readonly log: Log;
  readonly logs: Logs;
  readonly names: readonly string[];
  readonly around: LaunchContext;
  /** They were named one by one, so each is wanted. */
  readonly areNamed?: boolean;
  /** Gives the start up. */
  readonly signal: AbortSignal;
}

export const runChildren = async ({ log, logs, names, around, areNamed = false, signal }: Work): Promise<Group> => {
  const isOptional = (name: string): boolean => !areNamed && !essential.includes(name);
  const children: Supervised[] = [];
  const begin = (name: string): Promise<void> => {
    const child = supervise(log, {
      name,
      recordIn: around.data,
      isOptional: isOptional(name),
      script: [serviceScript(name)],
      env: serviceEnv(name, around),
      line: logs.lineOf(name),
      ready: () => step(name, 'ready'),
    });
    children.push(child);
    return child.started.catch((error: unknown) => {
      if (!isOptional(name) || child.isMisconfigured()) throw error;
      step(name, `off: ${couldNotStart}`);
    });
  };
  const stop = async (): Promise<void> => {
    // The gateway first, so that nothing new comes in while the others finish.
    for (const child of children.toReversed()) await child.stop();
  };
  const aborted = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  const interrupted = aborted.then(() => {
    throw new OperatorError('Stopped before it was up.');
  });
  // Unhandled once all are up.
  interrupted.catch(() => undefined);
  try {
    // The gateway last: it starts with requests to the others.
    for (const group of [names.filter((name) => name !== 'gateway'), names.filter((name) => name === 'gateway')])
      await Promise.race([Promise.all(group.map(begin)), interrupted]);
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
