/** `npm run install:all`: installs every package with a lock of its own, so that `npm run check` checks its types too. With names, those. */
import { readArguments, stop } from '../../infra/server/runtime/command-line';
import { describeUnknown, tool } from '../../packages/command-line/src/index';
import { installSeparate, type SeparatePackage, separatePackages } from './install';

const names = Object.keys(separatePackages) as readonly SeparatePackage[];

export const program = tool({
  name: 'npm run install:all --',
  about: 'Installs what checks, benches, some tests and places:load otherwise install at their first use.',
  arguments: [{ name: 'package', about: `only these of ${names.join(', ')}`, many: true, optional: true }],
});

const packageNamed = (wanted: string): SeparatePackage =>
  names.find((name) => name === wanted) ?? stop(describeUnknown('package', wanted, names), 2);

if (require.main === module) {
  const wanted = readArguments(program).arguments.package.map(packageNamed);
  for (const name of wanted.length === 0 ? names : wanted) installSeparate(name);
}
