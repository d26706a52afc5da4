/** A tool at the machine, which opens the signing keys of a directory under a master key, beside a node. */
import { execFile } from 'node:child_process';
import { scriptArguments } from '../runner/compiled';

export interface ToolRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface KeysAndLog {
  readonly home: string;
  readonly keys: string;
  readonly masterKey: Buffer;
  readonly log: string;
  readonly env?: NodeJS.ProcessEnv;
}

export const runTool = (
  tool: string,
  args: readonly string[],
  { home, keys, masterKey, log, env: more }: KeysAndLog,
): Promise<ToolRun> => {
  const own = { DATA_DIR: home, KEYS_DIR: keys, MASTER_KEY: masterKey.toString('base64url'), EVENTSTORE_URL: log };
  const env = { ...process.env, ...own, ...more };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...scriptArguments(tool), ...args], { env }, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
};
