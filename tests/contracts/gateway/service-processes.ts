/** Services as the launcher runs them, each a process with the launcher's own environment, behind the real gateway. */
import { readFileSync } from 'node:fs';
import { freePort } from '../../../infra/operate/launch/free-port';
import { ensureSecrets, readSecret } from '../../../infra/operate/launch/secret-files';
import { type ServicePorts, serviceEnv, serviceScript } from '../../../infra/operate/launch/service-environment';
import { type Supervised, supervise } from '../../../infra/operate/launch/supervisor';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { capturedLog } from '../../support/http/http-service';
import { startNodeHere } from '../../support/servers/event-store-node';

const port = async (): Promise<number> => (await freePort()) as number;

const portsOf = async (): Promise<ServicePorts> => ({
  commands: await port(),
  processes: await port(),
  projections: await port(),
  'read-api': await port(),
  blobs: await port(),
  gateway: await port(),
});

type SecretOf = (name: string) => string;

export interface ServicesOptions {
  readonly names: readonly string[];
  /** Addresses may carry passwords. */
  readonly stores?: (secret: SecretOf) => Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** `stop` ends all of them; the gateway begins last, as it calls the others. */
export const startServices = async ({ names, stores = () => ({}), env = {} }: ServicesOptions) => {
  const { path: data, remove } = temporaryDirectory('gateway');
  const node = await startNodeHere(`${data}/log`);
  const [secrets, ports] = [ensureSecrets(data), await portsOf()];
  const secret: SecretOf = (name) => readSecret(secrets, name);
  const around = { stores: { EVENTSTORE_URL: node.url, ...stores(secret) }, secrets, data, host: '127.0.0.1', ports };
  const log = capturedLog();
  const output: string[] = [];
  const begin = (name: string): Supervised =>
    supervise(log, {
      name,
      script: [serviceScript(name)],
      env: { ...serviceEnv(name, around), LOG_LEVEL: 'debug', ...env },
      line: (text) => output.push(`${name}: ${text}`),
      ready: () => undefined,
    });
  const children = new Map<string, Supervised>();
  for (const name of names) children.set(name, begin(name));
  await Promise.all([...children.values()].map(({ started }) => started));
  children.set('gateway', begin('gateway'));
  await children.get('gateway')?.started;
  const pidOf = (name: string): number => children.get(name)?.pid() as number;
  return {
    url: `http://127.0.0.1:${ports.gateway}`,
    data,
    node,
    ports,
    /** What the services have written. */
    output,
    /** What the supervisor has noticed. */
    log,
    secret,
    pidOf,
    /** Resident memory in MiB. */
    memoryOf: (name: string): number =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pidOf(name)}/status`, 'utf8'))?.[1]) / 1024,
    stop: async () => {
      for (const child of [...children.values()].toReversed()) await child.stop();
      await node.stop();
      remove();
    },
  };
};

export type Services = Awaited<ReturnType<typeof startServices>>;
