/**
 * Several services in one process, which share what they load. Each has its own configuration, log lines, metrics, health and port. What ends one
 * by a defect ends all: the launcher starts the process again.
 */
import { pathToFileURL } from 'node:url';
import { isLeft, right } from 'fp-ts/Either';
import { entryPath } from '../../server/bundle/entry-path';
import type { Environment } from '../../server/runtime/config';
import { openLog } from '../../server/runtime/log';
import { configurationExit, type Running, runProcess, type Service } from '../../server/runtime/service';
import { serviceNamed } from '../../server/services';
import { inStopOrder, type ServiceReport, type SharedServices, sharedVariable, startWaves } from './run-services';

const report = (message: ServiceReport): void => void process.send?.(message);

const load = async (name: string): Promise<Service> => {
  const path = pathToFileURL(entryPath(serviceNamed(name).entry)).href;
  return ((await import(path)) as { readonly service: Service }).service;
};

const running = new Map<string, Running>();

interface Start {
  readonly name: string;
  readonly env: Environment;
  readonly isOptional: boolean;
}

const start = async ({ name, env, isOptional }: Start): Promise<void> => {
  const log = openLog({ service: name, level: 'info' });
  try {
    const started = await (await load(name)).start({ ...process.env, ...env });
    if (isLeft(started)) {
      log.error({ faults: started.left }, 'the configuration is not usable');
      process.exit(configurationExit);
    }
    running.set(name, started.right);
    log.info({ port: started.right.port }, 'ready');
    report({ kind: 'service-ready', name });
  } catch (error) {
    log.error({ error }, 'the service could not start');
    if (!isOptional) throw error;
    report({ kind: 'service-failed', name });
  }
};

// While the launcher starts the stores. What cannot be loaded fails at the start of its service.
for (const name of process.argv.slice(2)) load(name).catch(() => undefined);

runProcess({
  name: 'services',
  variables: {},
  start: async ({ [sharedVariable]: services = '{}' }) => {
    const { env, optional } = JSON.parse(services) as SharedServices;
    for (const wave of startWaves(Object.keys(env)))
      await Promise.all(wave.map((name) => start({ name, env: env[name] ?? {}, isOptional: optional.includes(name) })));
    return right({
      ready: async () => ({ ready: true, parts: {} }),
      close: () => inStopOrder(new Map([...running].map(([name, { close }]) => [name, close]))),
    });
  },
});
