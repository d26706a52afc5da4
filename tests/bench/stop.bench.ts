/** How long a stop takes while no host of the log can be found: the slowest process, and each; the aim is 5 s. */
import { join } from 'node:path';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { exitOf } from '../support/processes/child-exit';
import { followTheLog, killFollowers, type LogFollower, startFollowers } from '../support/processes/log-followers';
import { startEventStoreNode } from '../support/servers/event-store-node';
import { freshDatabase, stopServers, valkeyForTests } from '../support/servers/shared-servers';
import { report } from './measure';

/** Attempts to find a host that fail before the stop. */
const attempts = [1, 3, 6];

/** Seconds from the signal to the end, which has to be one with 0. */
const stop = async ({ name, child }: LogFollower): Promise<readonly [name: string, seconds: number]> => {
  const began = performance.now();
  child.kill('SIGTERM');
  const code = await exitOf(child);
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return [name, (performance.now() - began) / 1_000];
};

const measure = async (failed: number): Promise<void> => {
  const home = temporaryDirectory('bench-stop');
  const node = await startEventStoreNode(join(home.path, 'log'));
  const followers = await startFollowers({
    postgres: await freshDatabase(),
    redis: (await valkeyForTests()).url,
    logPort: node.port,
    directory: home.path,
  });
  try {
    await followTheLog(followers);
    await node.kill();
    await Promise.all(followers.map(({ linesOf }) => linesOf('subscription broke; it is resumed', failed)));
    const times = await Promise.all(followers.map(stop));
    for (const [name, seconds] of times) report({ name: `stop.after-${failed}.${name}`, value: seconds, unit: 's' });
    const slowest = Math.max(...times.map(([, seconds]) => seconds));
    report({ name: `stop.after-${failed}.slowest`, value: slowest, unit: 's', baseline: 5 });
  } finally {
    await killFollowers(followers);
    home.remove();
  }
};

export const run = async (): Promise<void> => {
  try {
    for (const failed of attempts) await measure(failed);
  } finally {
    await stopServers();
  }
};
