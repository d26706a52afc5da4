/** The stores of one system in a process of their own, kept running as `npm start` keeps them; they end with it. */
import { openLogs } from '../../../infra/launch/output';
import { prepareDatabase } from '../../../infra/launch/prepare-database';
import { ensureSecrets } from '../../../infra/launch/secrets';
import { bringUpStores } from '../../../infra/launch/stores';
import type { Log } from '../../../infra/ports/log';

const quiet: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const main = async (data: string): Promise<void> => {
  const secrets = ensureSecrets(data);
  const logs = openLogs(data);
  const interrupted = new AbortController();
  const parts = await bringUpStores({ log: quiet, logs, data, secrets, signal: interrupted.signal });
  const stores = await prepareDatabase(Object.assign({}, ...parts.map(({ env }) => env)), secrets);
  const stop = async (): Promise<void> => {
    interrupted.abort();
    await Promise.all(parts.map((part) => part.stop()));
    process.exit(0);
  };
  process.once('SIGTERM', () => void stop());
  process.once('disconnect', () => void stop());
  process.send?.({ stores });
};

main(process.argv[2] as string).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
