/** `serve`: runs a node in the foreground until SIGTERM or SIGINT. */
import { isLeft } from 'fp-ts/Either';
import { type RunningNode, startNode } from '../server/node';
import { printError } from './print-error';
import type { OptionsOf } from './program';

/** Ends the node when the process that started it is gone, even if that was killed, and even before the node is up. */
const endWithParent = (end: () => void): void => {
  if (process.env.SEPTET_CHILD === undefined || process.send === undefined) return;
  if (process.connected) process.once('disconnect', end);
  else setImmediate(end);
};

const report = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
};

/** Its records are safe whenever it ends: one that is not up yet has nothing to close. */
const endOnSignals = (nodeOf: () => RunningNode | undefined): Promise<number> =>
  new Promise((resolve) => {
    const end = (): void => {
      void Promise.resolve(nodeOf()?.close()).then(() => {
        resolve(0);
        process.exit(0);
      });
    };
    process.on('SIGTERM', end);
    process.on('SIGINT', end);
    endWithParent(end);
  });

export const run = async ({
  data,
  certs,
  host,
  port,
  'insecure-anywhere': insecureAnywhere,
}: OptionsOf<'serve'>): Promise<number> => {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return printError('--port must be a port number.');
  let running: RunningNode | undefined;
  const stopped = endOnSignals(() => running);
  const node = await startNode({ data, certs, host, port: Number(port), insecureAnywhere, report });
  // The channel to the launcher would keep the process, and the launcher would wait for it.
  if (isLeft(node)) process.exit(printError(node.left, 1));
  running = node.right;
  process.stdout.write(`${JSON.stringify({ listening: `${node.right.host}:${node.right.port}`, data })}\n`);
  process.send?.({ kind: 'ready', port: node.right.port });
  return stopped;
};
