// Runs an entry point of the bundle in this process: `node infra/server/bundle/run.cjs infra/operate/launch/launch.main --port 7070`.
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { ensureBundle, holdBundle } = require('./bundle-cache.cjs');

const [program, , entry, ...rest] = process.argv;
if (process.argv.length < 3) {
  process.stderr.write('Usage: node infra/server/bundle/run.cjs <entry point> [arguments]\n');
  process.exit(2);
}
const bundle = ensureBundle({
  // In the form of the launcher's lines.
  onBuild: () => {
    const elapsed = `${(performance.now() / 1_000).toFixed(1)} s`.padStart(8);
    process.stderr.write(`  ${elapsed}  bundle         building, once for these sources\n`);
  },
});
holdBundle(bundle);
process.argv = [program, join(bundle, `${entry}.js`), ...rest];
void import(pathToFileURL(process.argv[1]).href);
