/**
 * docker-compose.yml against what its processes read: each one's declared variables, the launcher's environment of it,
 * and the variables, volumes and networks that the contexts' manifests declare.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { writeSecrets } from '../../infra/operate/launch/secrets.main';
import { serviceEnv } from '../../infra/operate/launch/service-environment';
import { systemServices } from '../../infra/server/services';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { skip } from '../support/runner/skip';
import { type ComposeService, compose, mountsOf, withDefaults } from '../support/servers/compose';

const root = join(__dirname, '..', '..');

interface EntryPoint {
  readonly service?: { readonly variables: t.Props };
  readonly variables?: t.Props;
}

/** Every variable that the entry point of a service's command declares. */
const declaredBy = ({ command = [] }: ComposeService): t.Props => {
  const [, script = ''] = command;
  const entry = require(join(root, script.replace(/^dist\//, '').replace(/\.js$/, '.ts'))) as EntryPoint;
  return entry.service?.variables ?? entry.variables ?? assert.fail(`${script} exports neither service nor variables`);
};

interface OwnService extends ComposeService {
  readonly name: string;
  readonly declared: t.Props;
  /** By the variable's name, without `_FILE`. */
  readonly given: ReadonlyMap<string, string>;
}

const givenTo = ({ environment = {} }: ComposeService): ReadonlyMap<string, string> =>
  new Map(Object.entries(environment).map(([name, value]) => [name.replace(/_FILE$/, ''), value]));

const own: readonly OwnService[] = Object.entries(compose.services)
  .filter(([, { image }]) => image === 'septet')
  .map(([name, service]) => ({ ...service, name, declared: declaredBy(service), given: givenTo(service) }));

/** What a variable of that name is given as, in all services. */
const valuesOf = (variable: string): readonly string[] => own.flatMap(({ given }) => given.get(variable) ?? []);

const missing = (wanted: (service: OwnService, variable: string) => boolean): readonly string[] =>
  own.flatMap((service) =>
    Object.keys(service.declared)
      .filter((variable) => wanted(service, variable) && !service.given.has(variable))
      .map((variable) => `${service.name}: ${variable}`),
  );

/** Undefined: the path is in the read-only image. */
const volumeAt = (service: ComposeService, path: string): string | undefined => {
  const mount = mountsOf(service).find(({ target }) => path === target || path.startsWith(`${target}/`));
  return mount && (mount.source ?? 'memory');
};

const isPath = (value: string): boolean => value.startsWith('/') && !value.startsWith('/run/secrets/');

const reachesOutside = ({ networks = [] }: ComposeService): boolean =>
  networks.some((network) => compose.networks[network]?.internal !== true);

describe('docker-compose.yml and what its processes read', () => {
  it('gives each process every variable that it cannot do without, and none that it does not read', () => {
    assert.deepEqual(
      missing(({ declared }, variable) => isLeft((declared[variable] as t.Mixed).decode(undefined))),
      [],
    );
    // Which directory a tool works on is read before its other variables.
    const unread = own.flatMap(({ name, given, declared }) =>
      [...given.keys()]
        .filter((variable) => !(variable in declared) && variable !== 'DATA_DIR')
        .map((one) => `${name}: ${one}`),
    );
    assert.deepEqual(unread, []);
  });

  it('tells every process what it tells several others: addresses, buckets, accounts', () => {
    const isShared = (variable: string): boolean => {
      const values = valuesOf(variable);
      return values.length > 1 && new Set(values).size === 1;
    };
    assert.deepEqual(
      missing((_, variable) => isShared(variable)),
      [],
    );
  });

  it('tells every process what the launcher tells it', () => {
    const ports = { commands: 1, 'read-api': 2, gateway: 3 };
    const secrets = new Proxy({}, { get: (_, name) => `/secrets/${String(name)}` }) as never;
    const around = { stores: {}, secrets, data: '/data', host: '127.0.0.1', ports };
    const launched = new Map(
      systemServices.map(({ name }) => [
        name,
        new Set(Object.keys(serviceEnv(name, around)).map((one) => one.replace(/_FILE$/, ''))),
      ]),
    );
    /** By the image itself; of blobs on disk and of a data directory, which is not there where each store is a server. */
    const elsewhere = ['HOST', 'PORT', 'BLOBS_DIR', 'BLOBS_KEY', 'DATA_DIR'];
    assert.deepEqual(
      missing(({ name }, variable) => launched.get(name)?.has(variable) === true && !elsewhere.includes(variable)),
      [],
    );
  });

  it('has what processes write in volumes, the same one for all that read a variable', () => {
    const directories = new Set(
      own.flatMap(({ given }) => [...given].filter(([, value]) => isPath(value)).map(([name]) => name)),
    );
    assert.ok(directories.has('REPOSITORIES_DIR') && directories.has('KEYS_DIR') && directories.has('SANDBOX_DIR'));
    for (const variable of directories) {
      assert.deepEqual(
        missing((_, declared) => declared === variable && variable !== 'DATA_DIR'),
        [],
      );
      const volumes = own.flatMap((service) => {
        const path = service.given.get(variable);
        return path === undefined ? [] : [volumeAt(service, path) ?? `${service.name}: ${path} is in no volume`];
      });
      assert.equal(new Set(volumes).size, 1, `${variable}: ${volumes.join(', ')}`);
    }
    for (const service of own)
      for (const { source } of mountsOf(service))
        assert.ok(
          source === undefined || source in compose.volumes || source.startsWith('.'),
          `${service.name}: ${source}`,
        );
  });

  it('mounts the files that addresses in its secrets name', () => {
    const home = temporaryDirectory('compose-secrets');
    writeSecrets(home.path);
    for (const service of own)
      for (const secret of service.secrets ?? [])
        for (const [, file = ''] of readFileSync(join(home.path, secret), 'utf8').matchAll(/tlsCAFile=([^&\s]+)/g))
          assert.notEqual(volumeAt(service, file), undefined, `${service.name} has no ${file}`);
    home.remove();
  });

  it('lets out those that fetch from addresses of others, and those with a published port, and no others', () => {
    /** The guarded fetch of keys of clients, sign-in providers and remote repositories, and calls to applications, declare it. */
    const fetches = own.filter(({ declared }) => 'PRIVATE_ADDRESSES' in declared).map(({ name }) => name);
    assert.deepEqual(fetches.sort(), ['commands', 'workers', 'workflow']);
    for (const [name, service] of Object.entries(compose.services)) {
      const isNeeded = fetches.includes(name) || (service.ports ?? []).length > 0;
      assert.equal(reachesOutside(service), isNeeded, name);
      assert.ok(service.networks?.includes('inside'), name);
    }
  });

  it('publishes what it tells browsers and clients to use', () => {
    const published = Object.values(compose.services).flatMap(({ ports = [] }) =>
      ports.map((port) => withDefaults(port).split(':').at(-2)),
    );
    const addresses = own.flatMap(({ given }) => [...given.values()]).map(withDefaults);
    const local = addresses.filter((value) => value.startsWith('http://localhost:'));
    assert.deepEqual([...new Set(local.map((value) => new URL(value).port))].sort(), ['7070', '9000']);
    for (const value of local) assert.ok(published.includes(new URL(value).port), value);
  });

  it('names services at ports where they listen, on a network that both are on', () => {
    const listening: Readonly<Record<string, string>> = { minio: '9000' };
    for (const { name, given, networks = [] } of own)
      for (const value of given.values()) {
        const [, host = '', port = ''] = /^http:\/\/([a-z-]+):(\d+)$/.exec(value) ?? [];
        if (host === '') continue;
        const target = compose.services[host] ?? assert.fail(`${name} names ${host}, which is no service`);
        assert.equal(port, listening[host] ?? '8080', `${name}: ${value}`);
        assert.ok(
          networks.some((network) => target.networks?.includes(network)),
          `${name} does not reach ${host}`,
        );
      }
  });

  it('lets pages of the console upload to the bucket, as its policy of pages says', () => {
    const origin = compose.services.minio?.environment?.MINIO_API_CORS_ALLOW_ORIGIN;
    assert.equal(origin, compose.services.gateway?.environment?.PUBLIC_URL);
  });

  it('is what Docker Compose reads, where that is installed', function () {
    const run = (...command: readonly string[]) =>
      execFileSync('docker', ['compose', ...command], { cwd: root, stdio: 'pipe' });
    try {
      run('version');
    } catch {
      skip(this, 'docker compose config: Docker Compose is not installed');
    }
    run('--profile', 'operate', 'config', '--quiet');
  });
});
