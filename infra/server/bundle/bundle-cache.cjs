// Bundles by content. Plain JavaScript: it runs before anything is bundled.
const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { join, resolve } = require('node:path');

const root = resolve(__dirname, '..', '..', '..');
/** Whatever may change a bundle. */
const sources = [
  'domain',
  'commands',
  'projections',
  'read-api',
  'infra',
  'packages',
  'package.json',
  'package-lock.json',
  // Pages of the gateway are made of these.
  'README.md',
  'docs',
];
const unused = new Set(['node_modules', 'dist', 'target', 'tests', 'README.md', 'decisions', 'pictures']);
/** Bundles that stay, the last used first, beside those that run. */
const keptBundles = 5;
/** A build that is older was interrupted. */
const abandonedMilliseconds = 600_000;

const hashInto = (hash, path) => {
  const full = join(root, path);
  const found = fs.statSync(full, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) {
    hash.update(`${path}\0`).update(fs.readFileSync(full)).update('\0');
    return;
  }
  for (const name of fs.readdirSync(full).sort()) if (!unused.has(name)) hashInto(hash, `${path}/${name}`);
};

/** Hash of the sources, the installed packages, and the compiler. */
const bundleKey = () => {
  const hash = createHash('sha256')
    .update(require('esbuild/package.json').version)
    .update(process.version.split('.')[0]);
  for (const path of sources) hashInto(hash, path);
  for (const name of fs.readdirSync(join(root, 'packages')).sort()) hashInto(hash, `packages/${name}/README.md`);
  return hash.digest('hex').slice(0, 32);
};

const dataOption = () => {
  const at = process.argv.indexOf('--data');
  return at === -1 ? undefined : process.argv[at + 1];
};

const isWritable = (directory) => {
  try {
    fs.mkdirSync(directory, { recursive: true });
    fs.accessSync(directory, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** A checkout may be read-only, and shared by many. */
const cacheDirectory = () => {
  const own = join(root, 'node_modules', '.cache', 'septet-bundles');
  if (isWritable(own)) return own;
  const inData = resolve(dataOption() ?? process.env.DATA_DIR ?? '.data', 'bundles');
  fs.mkdirSync(inData, { recursive: true, mode: 0o700 });
  return inData;
};

const isRunning = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const usersOf = (bundle) => join(bundle, 'users');
const isUsed = (bundle) =>
  fs.existsSync(usersOf(bundle)) && fs.readdirSync(usersOf(bundle)).some((pid) => isRunning(Number(pid)));

const prune = (cache) => {
  const found = fs.readdirSync(cache).map((name) => {
    const path = join(cache, name);
    return { path, isBuild: name.includes('.'), usedAt: fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  const abandoned = found.filter(({ isBuild, usedAt }) => isBuild && Date.now() - usedAt > abandonedMilliseconds);
  const old = found
    .filter(({ isBuild }) => !isBuild)
    .sort((one, other) => other.usedAt - one.usedAt)
    .slice(keptBundles)
    .filter(({ path }) => !isUsed(path));
  for (const { path } of [...abandoned, ...old]) fs.rmSync(path, { recursive: true, force: true });
};

/** What is not bundled is found from a bundle outside of the checkout, too. */
const linkPackages = (bundle) => {
  if (bundle.startsWith(`${root}/`)) return;
  fs.symlinkSync(join(root, 'node_modules'), join(bundle, 'node_modules'));
  fs.mkdirSync(join(bundle, 'infra', 'adapters', 'elastic'), { recursive: true });
  fs.symlinkSync(
    join(root, 'infra', 'adapters', 'elastic', 'server'),
    join(bundle, 'infra', 'adapters', 'elastic', 'server'),
  );
};

/** Two may build at once: one directory gets the name, complete. */
const buildInto = (bundle) => {
  const building = fs.mkdtempSync(`${bundle}.`);
  try {
    const script = join(__dirname, '..', '..', 'operate', 'build.main.ts');
    execFileSync(process.execPath, ['-r', require.resolve('tsx/cjs'), script, building], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    });
    linkPackages(building);
    fs.renameSync(building, bundle);
  } catch (error) {
    fs.rmSync(building, { recursive: true, force: true });
    if (!fs.existsSync(join(bundle, 'bundle.json'))) throw error;
  }
};

/** The bundle of these sources, built if there is none. */
const ensureBundle = ({ onBuild = () => undefined } = {}) => {
  const cache = cacheDirectory();
  const bundle = join(cache, bundleKey());
  if (!fs.existsSync(join(bundle, 'bundle.json'))) {
    onBuild();
    buildInto(bundle);
    prune(cache);
  }
  return bundle;
};

/** A bundle that a process runs from is not removed. */
const holdBundle = (bundle) => {
  const mark = join(usersOf(bundle), String(process.pid));
  try {
    fs.mkdirSync(usersOf(bundle), { recursive: true });
    fs.writeFileSync(mark, '');
    const now = new Date();
    fs.utimesSync(bundle, now, now);
    process.once('exit', () => fs.rmSync(mark, { force: true }));
  } catch {
    // Of a build elsewhere, which others may not write.
  }
};

module.exports = { ensureBundle, holdBundle };
