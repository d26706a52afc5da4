/** Servers never run as root: a launcher that is root runs them as `nobody`. */
import { chmodSync, chownSync, lchownSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Account } from '../../../adapters/programs/watchdog';

const usualUnprivilegedId = 65_534;

/** Undefined: this process is an ordinary user's, and so are its servers. */
export const serverAccount = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const line = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return { uid: Number(line?.[1] ?? usualUnprivilegedId) >>> 0, gid: Number(line?.[2] ?? usualUnprivilegedId) >>> 0 };
};

const maySearch = ({ uid, gid }: Account, directory: string): boolean => {
  const stat = statSync(directory);
  const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001;
  return (stat.mode & bit) !== 0;
};

const above = (path: string): readonly string[] => {
  const parent = dirname(path);
  return parent === path ? [] : [...above(parent), parent];
};

/** The outermost directory on the way to the path that the account may not enter. */
export const closedTo = (account: Account, path: string): string | undefined =>
  above(realpathSync(path)).find((directory) => !maySearch(account, directory));

/** Never through a symbolic link, which a server could have laid. */
export const changeOwner = (account: Account | undefined, path: string): void => {
  if (account !== undefined) lchownSync(path, account.uid, account.gid);
};

/** Its group may pass through, no more: what else lies there stays as closed as it was. */
const letThrough = (account: Account, directory: string): void => {
  if (statSync(directory).uid !== 0 || maySearch(account, directory)) return;
  chownSync(directory, 0, account.gid);
  chmodSync(directory, 0o710);
};

/** Empty, and the server's own. */
export const freshDirectory = (path: string): void => {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { mode: 0o700 });
  changeOwner(serverAccount(), path);
};

/** `directory` is written by the launcher only, so that no server can lay a trap there; `data` in it is the server's own. */
export const prepareDirectory = (directory: string, data: string): void => {
  const account = serverAccount();
  for (const path of [directory, data]) mkdirSync(path, { recursive: true, mode: 0o700 });
  if (account === undefined) return;
  letThrough(account, dirname(directory));
  letThrough(account, directory);
  changeOwner(account, data);
};
