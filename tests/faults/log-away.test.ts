/** Every process while no host of its log can be found: what it writes about it, and how it stops. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { exitOf } from '../support/processes/child-exit';
import {
  followerNames,
  followTheLog,
  killFollowers,
  type LogFollower,
  startFollowers,
} from '../support/processes/log-followers';
import { type NodeProcess, startEventStoreNode } from '../support/servers/event-store-node';
import { freshDatabase, valkeyForTests } from '../support/servers/shared-servers';

const broke = 'subscription broke; it is resumed';
const back = 'subscriptions to the log are back';
/** pino's. */
const warnLevel = 40;
/** Less what a line may wait before it is written. */
const aMinute = 59_000;

describe('every process whose log cannot be found', function () {
  this.timeout(280_000);
  const home = temporaryDirectory('log-away');
  let services: readonly LogFollower[] = [];
  afterEach(() => killFollowers(services));
  after(() => home.remove());

  it('writes one warning for the outage of a host and one line when it is back, and stops with 0 during the next', async () => {
    const data = join(home.path, 'log');
    let node: NodeProcess = await startEventStoreNode(data);
    services = await startFollowers({
      postgres: await freshDatabase(),
      redis: (await valkeyForTests()).url,
      logPort: node.port,
      directory: home.path,
    });
    await followTheLog(services);
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
      followerNames.map((name) => [name, 0, false]),
    );
  });
});
