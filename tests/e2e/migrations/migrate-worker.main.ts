/** Migrates the stores as every process does at its start; waits for the test's signal, so that several start at once. */
import { on } from 'node:events';
import { type Either, isLeft } from 'fp-ts/Either';
import { openElasticWriter } from '../../../infra/adapters/elastic/view-writer';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openPostgresWriter } from '../../../infra/adapters/postgres/views/view-writer';
import { openPostgresKeyTable } from '../../../infra/adapters/vault/postgres-key-table';
import type { View } from '../../../infra/ports/views/view-store';
import { thingsView } from '../../contracts/views/suite/view-store';

export interface Stores {
  readonly postgresUrl: string;
  readonly elasticUrl: string;
  /** Of the views. */
  readonly name: string;
}

const viewOf = (name: string, store: View['store']): View =>
  ({ ...thingsView(store), name: `${name}_${store}` }) as View;

const start = async ({ postgresUrl, elasticUrl, name }: Stores) => {
  const migrated = await migrate({ url: postgresUrl, readerPassword: 'reads' });
  const vault = openPostgresKeyTable(postgresUrl);
  const masters = await vault.masters();
  const tables = openPostgresWriter({ url: postgresUrl });
  const indexes = openElasticWriter({ url: elasticUrl, postgresUrl });
  const opened = [await tables.open(viewOf(name, 'postgres')), await indexes.open(viewOf(name, 'elastic'))];
  await Promise.all([vault.close(), tables.close(), indexes.close()]);
  const answers: readonly Either<unknown, unknown>[] = [migrated, masters, ...opened];
  const faults = answers.flatMap((one) => (isLeft(one) ? [one.left] : []));
  const generations = opened.map((one) => (isLeft(one) ? -1 : one.right.number));
  return { generations, faults };
};

const main = async (): Promise<void> => {
  process.send?.('here');
  for await (const [stores] of on(process, 'message')) process.send?.(await start(stores as Stores));
};

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
