/** Every process while no host of its log can be found: what it writes about it, and how it stops. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../infra/launch/free-port';
import { ensureSecrets } from '../../infra/launch/secret-files';
import { type LaunchContext, serviceEnv, serviceNames, serviceScript } from '../../infra/launch/service-environment';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { exitOf } from '../support/processes/child-exit';
import { typescript } from '../support/runner/compiled';
import { type NodeProcess, startEventStoreNode } from '../support/servers/event-store-node';
import { freshDatabase, valkeyForTests } from '../support/servers/shared-servers';

interface Line {
  readonly level: number;
  readonly msg: string;
  /** Milliseconds. */
  readonly time: number;
}

interface RunningService {
  readonly name: string;
  readonly child: ChildProcess;
  readonly lines: readonly Line[];
  /** Resolves once so many lines have the message, at whatever level. */
  readonly linesOf: (message: string, count?: number) => Promise<void>;
}

const broke = 'subscription broke; it is resumed';
const back = 'subscriptions to the log are back';
/** pino's. */
const warnLevel = 40;
/** Less what a line may wait before it is written. */
const aMinute = 59_000;
/** Processes that follow the log all the time. */
const followers = ['commands', 'processes', 'workers', 'projections', 'read-api', 'editor', 'workflow', 'gateway'];

/** A loopback port on which nothing listens, and a name that no resolver knows. */
const unreachable = async (): Promise<readonly string[]> => [`127.0.0.1:${await freePort()}`, 'log.invalid:2113'];

describe('every process whose log cannot be found', function () {
  this.timeout(280_000);
  const home = temporaryDirectory('log-away');
  const running: RunningService[] = [];
  let around: LaunchContext;

  const start = (name: string): RunningService => {
    const child = fork(serviceScript(name), [], {
      execArgv: typescript(),
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: { ...process.env, ...serviceEnv(name, around), LOG_LEVEL: 'debug' },
    });
    const lines: Line[] = [];
    const waiting = new Set<() => void>();
    createInterface(child.stdout as NodeJS.ReadableStream).on('line', (line) => {
      const { level, msg, time } = JSON.parse(line) as Omit<Line, 'time'> & { readonly time: string };
      lines.push({ level, msg, time: Date.parse(time) });
      for (const wake of waiting) wake();
    });
    const service: RunningService = {
      name,
      child,
      lines,
      linesOf: (message, count = 1) =>
        new Promise((resolve) => {
          const look = (): void => {
            if (lines.filter(({ msg }) => msg === message).length < count) return;
            waiting.delete(look);
            resolve();
          };
          waiting.add(look);
          look();
        }),
    };
    running.push(service);
    return service;
  };
  before(async () => {
    const ports = Object.fromEntries(
      await Promise.all(serviceNames.map(async (name) => [name, (await freePort()) as number] as const)),
    ) as LaunchContext['ports'];
    const postgres = await freshDatabase();
    const stores = { POSTGRES_URL: postgres, REDIS_URL: (await valkeyForTests()).url };
    around = { stores, secrets: ensureSecrets(home.path), data: home.path, host: '127.0.0.1', ports };
  });
  afterEach(async () => {
    for (const { child } of running.splice(0)) {
      child.kill('SIGKILL');
      await exitOf(child);
    }
  });
  after(() => home.remove());

  it('writes one warning for the outage of a host and one line when it is back, and stops with 0 during the next', async () => {
    const data = join(home.path, 'log');
    let node: NodeProcess = await startEventStoreNode(data);
    const url = `esdb://127.0.0.1:${node.port},${(await unreachable()).join(',')}?tls=false`;
    around = { ...around, stores: { ...around.stores, EVENTSTORE_URL: url } };
    const services = followers.map(start);
    await Promise.all(services.flatMap(({ linesOf }) => [linesOf('ready'), linesOf('subscribing to the log')]));
    await node.kill();
    await Promise.all(services.map(({ linesOf }) => linesOf(broke, 4)));
    node = await startEventStoreNode(data, node.port);
    await Promise.all(services.map(({ linesOf }) => linesOf(back)));
    await node.kill();
    for (const { name, lines } of services) {
      const until = lines.slice(0, lines.findIndex(({ msg }) => msg === back) + 1);
      const warnings = until.filter(({ level }) => level === warnLevel);
      assert.ok(
        warnings.some(({ msg }) => msg === broke),
        name,
      );
      for (const { msg, time } of warnings) {
        const later = warnings.find((other) => other.msg === msg && other.time > time);
        assert.ok(later === undefined || later.time - time >= aMinute, `${name} repeats: ${msg}`);
      }
    }
    // The first attempts to find another host are under way.
    await Promise.all(services.map(({ linesOf }) => linesOf(broke, 5)));
    const stopped = await Promise.all(
      services.map(async ({ name, child, lines }) => {
        child.kill('SIGTERM');
        return [name, await exitOf(child), lines.some(({ msg }) => msg.startsWith('defect'))];
      }),
    );
    assert.deepEqual(
      stopped,
      followers.map((name) => [name, 0, false]),
    );
  });
});
