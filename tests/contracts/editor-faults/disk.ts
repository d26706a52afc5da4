/** A disk of a test's own that can be filled. */
import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';

/** False where this may not be done. */
export const mount = (path: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

export const unmount = (path: string): void => {
  execFileSync('umount', ['--lazy', path], { stdio: 'ignore' });
};

/** Until nothing more goes into it. */
export const fill = (path: string): void => {
  for (let bytes = 1_048_576; bytes >= 4_096; ) {
    try {
      appendFileSync(path, Buffer.alloc(bytes));
    } catch {
      bytes /= 2;
    }
  }
};
