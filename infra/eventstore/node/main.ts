/** `npm run eventstore -- <verb>`: the embedded node as a program. */
import { parseArgs } from 'node:util';
import { isLeft } from 'fp-ts/Either';
import { startNode } from './serve';

const usage = `Usage: npm run eventstore -- serve --data DIR [--port N] [--host 127.0.0.1]

  serve   speaks EventStoreDB's gRPC protocol, insecure, on loopback; --port 0 takes a free port`;

const fail = (message: string, code: number): never => {
  process.stderr.write(`${message}\n`);
  process.exit(code);
};

const flags = { data: { type: 'string' }, port: { type: 'string' }, host: { type: 'string' } } as const;

const optionsOf = (argv: readonly string[]) => {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: flags, allowPositionals: true });
    return { ...values, verb: positionals[0] };
  } catch (error) {
    return fail(`${(error as Error).message}\n${usage}`, 2);
  }
};

/** The launcher's children end with it, even when it is killed. */
const endWithParent = (end: () => void): void => {
  if (process.env.SEPTET_CHILD !== undefined) process.once('disconnect', end);
};

const serve = async ({
  data,
  port = '2113',
  host = '127.0.0.1',
}: {
  data?: string;
  port?: string;
  host?: string;
}): Promise<void> => {
  if (data === undefined) return fail(`--data is missing.\n${usage}`, 2);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return fail(`--port must be a port number.\n${usage}`, 2);
  const report = (error: unknown): void => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  };
  const node = await startNode({ data, host, port: Number(port), report });
  if (isLeft(node)) return fail(node.left, 1);
  const end = (): void => {
    void node.right.close().then(() => process.exit(0));
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  endWithParent(end);
  process.stdout.write(`${JSON.stringify({ listening: `${node.right.host}:${node.right.port}`, data })}\n`);
  process.send?.({ kind: 'ready', port: node.right.port });
};

if (require.main === module) {
  const { verb, ...options } = optionsOf(process.argv.slice(2));
  if (verb === 'serve') void serve(options);
  else fail(usage, 2);
}
