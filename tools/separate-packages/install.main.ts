/**
 * `npm run install:all`: installs every package with a lock of its own, so that `npm run check` checks its types too.
 * With names, those.
 */
import { installSeparate, type SeparatePackage, separatePackages } from './install';

const names = process.argv.slice(2);
for (const name of names.length === 0 ? Object.keys(separatePackages) : names) installSeparate(name as SeparatePackage);
