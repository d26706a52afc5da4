/** One copy of every process of ours, supervised as `npm start` does it. */
import { mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../../infra/operate/launch/free-port';
import { ensureSecrets } from '../../../../infra/operate/launch/secret-files';
import {
  type ServicePorts,
  serviceEnv,
  serviceNames,
  serviceScript,
} from '../../../../infra/operate/launch/service-environment';
import { type Supervised, supervise } from '../../../../infra/operate/launch/supervisor';
import { serviceNamed } from '../../../../infra/server/services';
import { typescript } from '../../../support/runner/compiled';
import { recordingLog } from '../../../support/waiting/recording-log';

export interface Copy {
  /** Of its gateway. */
  readonly url: string;
  readonly ports: ServicePorts;
  readonly service: (name: string) => Supervised;
  /** Names of services that ended and were started again, in order. */
  readonly restarts: () => readonly string[];
  readonly stop: () => Promise<void>;
}

export interface CopyOptions {
  readonly name: string;
  readonly data: string;
  readonly stores: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Loaded before each service: knows nothing of our modules. */
  readonly preloads?: readonly string[];
  /** Loaded before these services, whose modules it changes: they run from sources. */
  readonly changes?: { readonly preload: string; readonly services: readonly string[] };
}

const root = join(__dirname, '..', '..', '..', '..');

const portsOf = async (): Promise<ServicePorts> => {
  const ports = serviceNames.map(async (service) => [service, await freePort()] as const);
  return Object.fromEntries(await Promise.all(ports)) as unknown as ServicePorts;
};

const fileOf = (data: string, name: string): ((text: string) => void) => {
  mkdirSync(join(data, 'logs'), { recursive: true });
  const file = openSync(join(data, 'logs', `${name}.log`), 'a');
  return (text) => void writeSync(file, `${text}\n`);
};

/** All copies issue tokens for one address. */
const issuer = 'http://septet.test';

export const startCopy = async ({
  name,
  data,
  stores,
  env = {},
  preloads = [],
  changes,
}: CopyOptions): Promise<Copy> => {
  const ports = await portsOf();
  const around = { stores, secrets: ensureSecrets(data), data, host: '127.0.0.1', ports };
  const log = recordingLog();
  const own = { PUBLIC_URL: issuer, ISSUER: issuer, COPY: name, EDGE_CACHE_DIR: join(data, `edge-${name}`) };
  const scriptOf = (service: string): readonly string[] => {
    const isChanged = changes?.services.includes(service) === true;
    const loaded = isChanged ? [...preloads, changes.preload] : preloads;
    // A bundle has no modules that could be changed.
    const script = isChanged ? join(root, `${serviceNamed(service).entry}.ts`) : serviceScript(service);
    return loaded.length === 0 ? [script] : [...typescript(), ...loaded.flatMap((path) => ['-r', path]), script];
  };
  const begin = (service: string): Supervised =>
    supervise(log, {
      name: service,
      script: scriptOf(service),
      env: { ...serviceEnv(service, around), ...own, SERVICE: service, ...env },
      line: fileOf(data, `${service}-${name}`),
      ready: () => undefined,
    });
  const services = new Map<string, Supervised>(
    serviceNames.filter((one) => one !== 'gateway').map((one) => [one, begin(one)] as const),
  );
  const stop = async (): Promise<void> => {
    await services.get('gateway')?.stop();
    await Promise.all([...services.values()].map((service) => service.stop()));
  };
  try {
    await Promise.all([...services.values()].map(({ started }) => started));
    // Last: its start depends on answers of the others.
    services.set('gateway', begin('gateway'));
    await services.get('gateway')?.started;
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${ports.gateway}`,
    ports,
    service: (name) => services.get(name) as Supervised,
    restarts: () => log.lines.map(({ fields }) => String(fields.service)),
    stop,
  };
};
