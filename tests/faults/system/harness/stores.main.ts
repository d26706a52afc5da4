/** The stores of one system in a separate process, supervised as `npm start` does; they end with it. */

import { ensureSecrets } from '../../../../infra/operate/launch/secret-files';
import { prepareDatabase } from '../../../../infra/operate/launch/stores/prepare-database';
import { startStores } from '../../../../infra/operate/launch/stores/start-stores';
import { openLogs } from '../../../../infra/operate/launch/terminal-output';
import type { Log } from '../../../../infra/ports/runtime/log';

const ignore = (): void => undefined;
const quiet: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore, audit: ignore };

const main = async (data: string): Promise<void> => {
  const secrets = ensureSecrets(data);
  const logs = openLogs(data);
  const interrupted = new AbortController();
  const parts = await startStores({ log: quiet, logs, data, secrets, signal: interrupted.signal });
  const { stores, stop: stopPreparing } = await prepareDatabase({ log: quiet, parts, secrets });
  const stop = async (): Promise<void> => {
    interrupted.abort();
    stopPreparing();
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
