/** Where sandboxes of an installation are. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Survives restarts, lies on a disk, and every user reaches it. */
const sharedDirectory = '/var/tmp/septet-sandboxes';

const othersMayEnter = 0o001;

/** Checks existing directories only: missing ones are created so that others may enter. */
const isReachable = (path: string): boolean => {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && (mode & othersMayEnter) === 0) return false;
  return path === dirname(path) || isReachable(dirname(path));
};

/** `preferred`, an absolute path, unless this process is root and the users that programs run as do not get there. */
export const sandboxDirectory = (preferred: string): string =>
  process.getuid?.() !== 0 || isReachable(preferred) ? preferred : sharedDirectory;
