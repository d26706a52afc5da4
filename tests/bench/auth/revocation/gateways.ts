/** One system with many gateways in front, each a process of its own, and tokens of any claims that they accept. */
import { readFileSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { signToken } from '../../../../commands/identity/oauth/token/sign-token';
import { openFileKeystore } from '../../../../infra/adapters/kms/file-keystore';
import { freePort } from '../../../../infra/operate/launch/free-port';
import { ensureSecrets } from '../../../../infra/operate/launch/secret-files';
import { keysDirectory, serviceEnv, serviceScript } from '../../../../infra/operate/launch/service-environment';
import { supervise } from '../../../../infra/operate/launch/supervisor';
import { type Services, startServices } from '../../../contracts/gateway/service-processes';
import { capturedLog } from '../../../support/http/http-service';
import { type Admin, signIn } from '../../../support/identity/admin';

const host = '127.0.0.1';

/** Another gateway of the same installation: tokens are the first one's, whichever they come through. */
const beside = async ({ data, ports, node, url }: Services, more: Readonly<Record<string, string>>) => {
  const gateway = (await freePort()) as number;
  const stores = { EVENTSTORE_URL: node.url };
  const around = { stores, secrets: ensureSecrets(data), data, host, ports: { ...ports, gateway } };
  const env = { ...serviceEnv('gateway', around), PUBLIC_URL: url, ISSUER: url, LOG_LEVEL: 'warn', ...more };
  const began = performance.now();
  const child = supervise(capturedLog(), {
    name: `gateway-${gateway}`,
    script: ['-r', 'tsx/cjs', serviceScript('gateway')],
    env,
    line: () => undefined,
    ready: () => undefined,
  });
  await child.started;
  const milliseconds = performance.now() - began;
  return { child, url: `http://${host}:${gateway}`, milliseconds, pid: child.pid() as number };
};

type Beside = Awaited<ReturnType<typeof beside>>;

/** Resident, in MiB. */
export const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

type Sign = (claims: object) => Promise<string>;

/** With the very key that the command API signs with. */
const signerOf = async ({ data, secret, url }: Services): Promise<Sign> => {
  const masterKey = Buffer.from(secret('master-key'), 'base64url');
  const kms = openFileKeystore({ directory: keysDirectory(data), masterKey });
  if (isLeft(kms)) throw new Error(kms.left.detail);
  const { keys } = (await (await fetch(`${url}/oauth/jwks`)).json()) as { keys: { kid: string; alg: 'ES256' }[] };
  const [key] = keys;
  if (key === undefined) throw new Error('no key signs');
  return async (claims) => {
    const iat = Math.floor(Date.now() / 1000);
    const all = { iss: url, aud: ['septet'], iat, exp: iat + 900, tenant_id: 'main', security_epoch: 1, ...claims };
    const usual = { principal_type: 'HUMAN', scopes: ['principals:read'], ...all };
    const token = await signToken(kms.right, key, { typ: 'at+jwt', claims: usual });
    if (isLeft(token)) throw new Error(token.left.detail);
    return token.right;
  };
};

export interface ManyGateways {
  readonly services: Services;
  readonly urls: readonly string[];
  readonly admin: Admin;
  readonly sign: Sign;
  /** Starts one more gateway; measures how long it took until it was ready. */
  readonly another: () => Promise<Beside>;
  readonly stop: () => Promise<void>;
}

export const startGateways = async (
  count: number,
  options: { readonly redis?: string } = {},
): Promise<ManyGateways> => {
  const stores: Record<string, string> = options.redis === undefined ? {} : { REDIS_URL: options.redis };
  const names = options.redis === undefined ? (['commands'] as const) : (['commands', 'projections'] as const);
  const services = await startServices({ names, stores: () => stores, env: { LOG_LEVEL: 'warn' } });
  const others: Beside[] = [];
  // One after the other: starting is work, and there are few cores.
  const another = async (): Promise<Beside> => {
    const one = await beside(services, stores);
    others.push(one);
    return one;
  };
  while (others.length < count - 1) await another();
  const admin = await signIn(services.url, services.secret('bootstrap-code'));
  return {
    services,
    urls: [services.url, ...others.map(({ url }) => url)],
    admin,
    sign: await signerOf(services),
    another,
    stop: async () => {
      for (const { child } of others) await child.stop();
      await services.stop();
    },
  };
};
