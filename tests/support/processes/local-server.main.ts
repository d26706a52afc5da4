/** A launcher to be killed: starts one server, prints its process id, and waits. */
import { isLeft } from 'fp-ts/Either';
import { startElasticsearch } from '../../../infra/operate/launch/servers/elasticsearch/elasticsearch';
import { startPostgres } from '../../../infra/operate/launch/servers/postgres/postgres';
import { startValkey } from '../../../infra/operate/launch/servers/valkey';

const starts = { postgres: startPostgres, valkey: startValkey, elasticsearch: startElasticsearch };

const main = async (): Promise<void> => {
  const [name, directory, tools] = process.argv.slice(2) as [keyof typeof starts, string, string];
  const server = await starts[name]({ directory, tools, progress: () => undefined });
  if (isLeft(server)) throw new Error(server.left.detail);
  process.stdout.write(`${server.right.pid}\n`);
  process.stdin.resume();
};

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
