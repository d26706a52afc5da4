/** Where entry points are. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureBundle } from './bundle-cache.cjs';

const nearest = (directory: string): string | undefined => {
  if (existsSync(join(directory, 'bundle.json'))) return directory;
  return dirname(directory) === directory ? undefined : nearest(dirname(directory));
};

/** The bundle that this code is part of. Undefined: it runs from sources, as in tests. */
export const ownBundle: string | undefined = nearest(__dirname);

let built: string | undefined;

/** The file to start for an entry point such as `infra/gateway/main`: always of a bundle. */
export const entryPath = (entry: string): string => {
  built ??= ownBundle ?? ensureBundle();
  return join(built, `${entry}.js`);
};
