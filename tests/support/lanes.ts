/** Where the servers of a run keep their files, whichever process started them: removed when the last test is over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { typescript } from './compiled';

let directory = '';

export const mochaGlobalSetup = (): void => {
  directory = mkdtempSync(join(tmpdir(), 'septet-tests-'));
  process.env.TEST_RUN_DIRECTORY = directory;
  // Lanes that need it would each begin by making it.
  const needed = process.argv.some((argument) => /\b(contracts|browser|e2e)\b/.test(argument));
  if (needed && process.argv.includes('--parallel')) typescript();
};

/** Servers of a lane end with its process, a moment after it: until then they may still write. */
export const mochaGlobalTeardown = (): void =>
  rmSync(directory, { recursive: true, force: true, maxRetries: 150, retryDelay: 100 });
