/** Makes the accounts of our processes on a secure event store, once it answers. Runs before they start. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import { anyText, loadConfig, variables } from '../../server/runtime/config';
import { ensureAccounts } from './service-accounts';

/** `EVENTSTORE_URL` is an administrator's. */
const ownVariables = { EVENTSTORE_URL: variables.EVENTSTORE_URL, WRITER_PASSWORD: anyText, READER_PASSWORD: anyText };

const attempts = 60;
const pauseMilliseconds = 1_000;

const main = async (): Promise<number> => {
  const loaded = loadConfig(ownVariables, process.env);
  if (isLeft(loaded)) {
    for (const { variable, expected } of loaded.left) process.stderr.write(`${variable}: ${expected}\n`);
    return 78;
  }
  const { EVENTSTORE_URL, WRITER_PASSWORD, READER_PASSWORD } = loaded.right;
  const writer = { login: 'septet', password: WRITER_PASSWORD };
  const reader = { login: 'septet-reader', password: READER_PASSWORD };
  for (let attempt = 1; ; attempt += 1) {
    try {
      await ensureAccounts(EVENTSTORE_URL, { writer, reader });
      return 0;
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      if (attempt === attempts) return 1;
      await sleep(pauseMilliseconds);
    }
  }
};

export { ownVariables as variables };

if (require.main === module)
  main().then(
    (code) => process.exit(code),
    () => process.exit(1),
  );
