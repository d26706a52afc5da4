/**
 * Several services in one process, which share what they load. Each has its own configuration, log lines, metrics, health and port. What ends one
 * by a defect ends all: the launcher starts the process again.
 */
import { pathToFileURL } from 'node:url';
import { isLeft, right } from 'fp-ts/Either';
import { entryPath } from '../../server/bundle/entry-path';
import { openLog } from '../../server/runtime/log';
import { configurationExit, type Running, runProcess, type Service } from '../../server/runtime/service';
import { serviceNamed } from '../../server/services';
import { inStopOrder, type ServiceReport, type SharedServices, startWaves } from './run-services';

const report = (message: ServiceReport): void => void process.send?.(message);

const { env: environments, optional } = JSON.parse(process.env.SEPTET_SERVICES ?? '{}') as SharedServices;
const running = new Map<string, Running>();

const start = async (name: string): Promise<void> => {
  const log = openLog({ service: name, level: 'info' });
  try {
    const path = pathToFileURL(entryPath(serviceNamed(name).entry)).href;
    const { service } = (await import(path)) as { readonly service: Service };
    const { SEPTET_SERVICES: _, ...shared } = process.env;
    const started = await service.start({ ...shared, ...environments[name] });
    if (isLeft(started)) {
      log.error({ faults: started.left }, 'the configuration is not usable');
      process.exit(configurationExit);
    }
    running.set(name, started.right);
    log.info({ port: started.right.port }, 'ready');
    report({ kind: 'service-ready', name });
  } catch (error) {
    log.error({ error }, 'the service could not start');
    if (!optional.includes(name)) throw error;
    report({ kind: 'service-failed', name });
  }
};

runProcess({
  name: 'services',
  variables: {},
  start: async () => {
    for (const wave of startWaves(Object.keys(environments))) await Promise.all(wave.map(start));
    return right({
      ready: async () => ({ ready: true, parts: {} }),
      close: () => inStopOrder(new Map([...running].map(([name, { close }]) => [name, close]))),
    });
  },
});
