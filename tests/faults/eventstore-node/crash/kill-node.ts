/** Ways to kill a node: under load, at an acknowledgement or at any moment, and while it starts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { entryPath } from '../../../../infra/server/bundle/entry-path';
import { connectTo, type LocalNode } from '../../../contracts/eventstore-node/protocol/harness/local-node';
import type { SeededRandom } from '../../../support/random/seeded-random';
import { type Operation, overAppend, overBatch } from './client-operations';
import { runLoadClient } from './load-client';
import { consumeQueue, type Queue } from './persistent-subscription';

const connections = 3;
const mostAcknowledged = 80;
/** Milliseconds, about as long as that many acknowledgements take. */
const longestLoad = 150;
/** Milliseconds; a node that is alone on a machine serves by then. */
const longestStart = 500;

/** Loads the node until it is gone; answers the operations that were sent. */
export const killUnderLoad = async (
  { node }: LocalNode,
  queue: Queue,
  random: SeededRandom,
): Promise<readonly Operation[]> => {
  const operations: Operation[] = [];
  const clients = Array.from({ length: connections }, () => connectTo(node));
  let left = random.chance(0.5) ? 1 + random.below(mostAcknowledged) : Number.POSITIVE_INFINITY;
  let killed: Promise<void> | undefined;
  const kill = (): void => {
    killed ??= node.kill();
  };
  const timer = left === Number.POSITIVE_INFINITY ? setTimeout(kill, random.below(longestLoad)) : undefined;
  const acknowledged = (): void => {
    left -= 1;
    if (left <= 0) kill();
  };
  const workers = clients.flatMap((client) =>
    [overAppend(client), overBatch(client), overBatch(client)].map((connection) =>
      runLoadClient({ operations, acknowledged }, connection, random.fork()),
    ),
  );
  try {
    await Promise.all([...workers, consumeQueue(node, queue, random.fork())]);
  } finally {
    clearTimeout(timer);
    await killed;
    for (const client of clients) client.close();
  }
  return operations;
};

/** At any moment from its first instruction to a while after it serves. */
export const killWhileStarting = async (data: string, random: SeededRandom): Promise<void> => {
  const script = [entryPath('packages/eventstore-node/src/cli/main'), 'serve', '--data', data, '--port', '0'];
  const child = spawn(process.execPath, script, { stdio: 'ignore' });
  const over = once(child, 'exit');
  await sleep(random.below(longestStart));
  child.kill('SIGKILL');
  await over;
};
