/** `npm run bench -- <name>`: each bench prints one JSON line per figure, with the rival or floor of the same run. */
import { readdirSync } from 'node:fs';
import { parse } from 'node:path';

const shared = new Set(['main', 'measure']);
const names = readdirSync(__dirname)
  .map((file) => parse(file).name)
  .filter((name) => !shared.has(name) && !name.includes('.') && !name.includes('-'));

const main = async (name = ''): Promise<number> => {
  if (!names.includes(name)) {
    console.error(`Usage: npm run bench -- <${names.join(' | ')}>`);
    return 2;
  }
  const bench = (await import(`./${name}`)) as { readonly run: () => Promise<void> };
  await bench.run();
  return 0;
};

main(process.argv[2]).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
