/** What the build changes in our sources: idioms of CommonJS that depend on where a file is. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';

const entryOf = (root: string, path: string): string => relative(root, path).replace(/\.ts$/, '').replaceAll('\\', '/');

export const entryPlugin = (root: string): Plugin => ({
  name: 'entries',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes('node_modules')) return undefined;
      const directory = dirname(path);
      const isEntry = /(^|[\\/.])main\.ts$/.test(path);
      let contents = readFileSync(path, 'utf8')
        .replace(
          /require\.main === module/g,
          `process.argv[1]?.replace(/\\.js$/, '').endsWith('/${entryOf(root, path)}')`,
        )
        .replace(/require\.resolve\('(\.[^']*\.main)'\)/g, (_, file: string) => {
          const entryPath = relative(directory, join(root, 'infra', 'server', 'bundle', 'entry-path'));
          return `require('./${entryPath}').entryPath('${entryOf(root, join(directory, file))}')`;
        });
      if (isEntry)
        contents = `import '${join(root, 'infra', 'server', 'bundle', 'stack-traces')}';${contents.replace(/^#!.*/, '')}`;
      return { contents, loader: 'ts' };
    });
    // Frames of packages are named by the bundle: their maps would be most of all.
    onLoad({ filter: /node_modules.*\.[cm]?js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from('{"version":3,"sources":[""],"mappings":"A"}').toString('base64')}`,
      loader: 'js',
    }));
  },
});
