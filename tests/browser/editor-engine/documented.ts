/** What the documentation of the client shows, as it is written there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const root = join(__dirname, '..', '..', '..');
const text = readFileSync(join(root, 'packages', 'editor-engine', 'README.md'), 'utf8');

/** The one below a heading. */
const programUnder = (heading: string): string => {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  return /```ts\n(.*?)```/s.exec(section)?.[1] ?? '';
};

const asModule = (heading: string, platform: 'browser' | 'node'): string => {
  const { outputFiles } = buildSync({
    stdin: { contents: programUnder(heading), resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform,
    target: 'es2022',
    logLevel: 'error',
    alias: {
      '@septet/editor/node': join(root, 'packages', 'editor-engine', 'src', 'node.ts'),
      '@septet/editor': join(root, 'packages', 'editor-engine', 'src', 'index.ts'),
    },
    // CommonJS modules call `require` for what Node has.
    ...(platform === 'node'
      ? {
          banner: {
            js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
          },
        }
      : { mainFields: ['module', 'main'] }),
  });
  return outputFiles[0]?.text ?? '';
};

export const documentedProgram = (): string => asModule('In a program', 'node');
export const documentedPage = (): string => asModule('In a page', 'browser');
