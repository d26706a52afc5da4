/** Our services: most of them in one process, or each in a process of its own. All are supervised. */
import { once } from 'node:events';
import { dirname } from 'node:path';
import type { Log } from '../../ports/runtime/log';
import { entryPath } from '../../server/bundle/entry-path';
import { OperatorError } from './operator-error';
import { type LaunchContext, serviceEnv, serviceScript } from './service-environment';
import { couldNotStart, type Supervised, supervise } from './supervisor';
import { displayPath, type Logs, step, terminal } from './terminal-output';

export interface Group {
  /** Rejects with why the start is given up; what runs is stopped by the caller. */
  readonly started: Promise<void>;
  /** What nothing else calls is stopped first. */
  readonly stop: () => Promise<void>;
}

/** Without these nothing answers. For the others the gateway reports what is missing. */
const essential: readonly string[] = ['gateway', 'commands', 'read-api'];

/** They run programs and large jobs, at a lower priority, which belongs to a process. */
const alwaysApart: readonly string[] = ['workers'];

/** Called by the others, so they are stopped last. */
const called: readonly string[] = ['commands', 'read-api', 'blobs'];

/** In this order: the gateway first, so that nothing new comes in while the others finish. */
const stopWaves: readonly ((name: string) => boolean)[] = [
  (name) => name === 'gateway',
  (name) => name !== 'gateway' && !called.includes(name),
  (name) => called.includes(name),
];

export const inStopOrder = async (stops: ReadonlyMap<string, () => Promise<void>>): Promise<void> => {
  for (const isOfWave of stopWaves)
    await Promise.all([...stops].filter(([name]) => isOfWave(name)).map(([, stop]) => stop()));
};

/** The gateway last: it starts with requests to the others. */
export const startWaves = (names: readonly string[]): readonly (readonly string[])[] => [
  names.filter((name) => name !== 'gateway'),
  names.filter((name) => name === 'gateway'),
];

/** Variable of the shared process, which names its services in its arguments. */
export const sharedVariable = 'SEPTET_SERVICES';

/** Its value, as JSON. */
export interface SharedServices {
  readonly env: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The others go on without them. */
  readonly optional: readonly string[];
}

/** From the shared process, about one of its services. */
export interface ServiceReport {
  readonly kind: 'service-ready' | 'service-failed';
  readonly name: string;
}

const reportOf = (message: unknown): ServiceReport | undefined => {
  const { kind, name } = message as Partial<ServiceReport>;
  return (kind === 'service-ready' || kind === 'service-failed') && name !== undefined ? { kind, name } : undefined;
};

/** The file of the service that a line of the shared process is of. What is no log line, as a stack, is of the process. */
const lineOfShared = (logs: Logs, names: readonly string[]): ((text: string) => void) => {
  const lines = new Map(names.map((name) => [name, logs.lineOf(name)] as const));
  const others = logs.lineOf('services');
  return (text) => {
    const name = /^\{"level":\d+,"time":"[^"]*","service":"([\w-]+)"/.exec(text)?.[1];
    (lines.get(name ?? '') ?? others)(text);
  };
};

interface Work {
  readonly log: Log;
  readonly logs: Logs;
  readonly names: readonly string[];
  /** Known once the stores are: processes load their modules before. */
  readonly around: Promise<LaunchContext>;
  readonly data: string;
  /** Each service in a process of its own. */
  readonly processes: boolean;
  /** They were named one by one, so each is wanted. */
  readonly areNamed?: boolean;
  /** Gives the start up. */
  readonly signal: AbortSignal;
}

/** Lookups of hosts and files of all services share these threads. */
const sharedThreads = '16';

export const runServices = ({ log, logs, names, around, data, processes, areNamed = false, signal }: Work): Group => {
  const mayBeOff = (name: string): boolean => !areNamed && !essential.includes(name);
  const children = new Map<string, Supervised>();
  const { ready } = terminal;

  const startAlone = (name: string, isOptional = mayBeOff(name)): Promise<void> => {
    const child = supervise(log, {
      name,
      recordIn: data,
      isOptional,
      script: [serviceScript(name)],
      variables: async () => serviceEnv(name, await around),
      line: logs.lineOf(name),
      logFile: logs.pathOf(name),
      ready: () => ready(name),
    });
    children.set(name, child);
    return child.started.catch((error: unknown) => {
      if (!isOptional || child.isMisconfigured()) throw error;
      terminal.off(name, couldNotStart(logs.pathOf(name)));
    });
  };

  /** Of a system that runs: it goes on without it. */
  const tryAlone = (name: string): void =>
    void startAlone(name, true).catch(() =>
      terminal.off(name, `Its configuration is not usable; see its log: ${displayPath(logs.pathOf(name))}.`),
    );

  const startShared = (group: readonly string[]): Promise<void> => {
    const shared = (): readonly string[] => group.filter((name) => !children.has(name));
    const variables = async () => {
      const known = await around;
      const services: SharedServices = {
        env: Object.fromEntries(shared().map((name) => [name, serviceEnv(name, known)])),
        optional: group.filter(mayBeOff),
      };
      return { [sharedVariable]: JSON.stringify(services) };
    };
    const child = supervise(log, {
      name: 'services',
      recordIn: data,
      get script() {
        return [entryPath('infra/operate/launch/services.main'), ...shared()];
      },
      env: { UV_THREADPOOL_SIZE: sharedThreads },
      variables,
      line: lineOfShared(logs, group),
      logFile: logs.pathOf('services'),
      ready: () => undefined,
      message: (message) => {
        const report = reportOf(message);
        if (report?.kind === 'service-ready') ready(report.name);
        // Tried on where its failures concern no other service.
        if (report?.kind === 'service-failed') tryAlone(report.name);
      },
      crashLoop: () => {
        step('services', 'the process that they share crashes again and again; each gets a process of its own');
        const names = shared();
        children.delete('services');
        for (const name of names) tryAlone(name);
      },
    });
    children.set('services', child);
    return child.started;
  };

  const stop = (): Promise<void> => inStopOrder(new Map([...children].map(([name, child]) => [name, child.stop])));

  const aborted = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  const interrupted = aborted.then(() => {
    throw new OperatorError('Stopped before it was up.');
  });
  // Unhandled once all are up.
  interrupted.catch(() => undefined);
  const together = processes ? [] : names.filter((name) => !alwaysApart.includes(name));
  const start = async (): Promise<void> => {
    step('services', `loading ${names.length} of them (logs: ${displayPath(dirname(logs.pathOf('services')))})`);
    if (together.length > 1) {
      const alone = names.filter((name) => !together.includes(name));
      await Promise.all([startShared(together), ...alone.map((name) => startAlone(name))]);
    } else for (const wave of startWaves(names)) await Promise.all(wave.map((name) => startAlone(name)));
  };
  const up = Promise.all([around, start()]).then(() => undefined);
  const started = Promise.race([up, interrupted]);
  // The caller may still be about other parts.
  started.catch(() => undefined);
  return { started, stop };
};
