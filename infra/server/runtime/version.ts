/** Which version of ours this is: of the nearest package.json, in a checkout as in a build. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const versionAt = (directory: string): string | undefined => {
  try {
    const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
};

const nearest = (directory: string): string => {
  const above = dirname(directory);
  return versionAt(directory) ?? (above === directory ? 'unknown' : nearest(above));
};

export const version = nearest(__dirname);
