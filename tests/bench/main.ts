/** `npm run bench -- <name>`: each bench prints one JSON line per figure, with the rival or floor of the same run. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const suffix = '.bench.ts';
const names = readdirSync(__dirname)
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length));

const main = async (name = ''): Promise<number> => {
  if (!names.includes(name)) {
    console.error(`Usage: npm run bench -- <${names.join(' | ')}>`);
    return 2;
  }
  const bench = require(join(__dirname, `${name}${suffix}`)) as { readonly run: () => Promise<void> };
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
