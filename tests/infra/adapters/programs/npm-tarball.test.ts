import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { fetchTarballs } from '../../../../infra/adapters/programs/npm-tarball';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';

/** In place of npm: a tarball holds the name of its package. */
const npm = `#!/bin/sh
while [ "$1" != --pack-destination ]; do shift; done
directory=$2; shift 2
for package; do printf '%s' "$package" >"$directory/$(echo "$package" | tr @ -).tgz"; done
`;
/** In place of Python: unpacks a tarball to a file in \`package\`. */
const python = `#!/bin/sh
mkdir -p "$5/package" && cat "$4" >"$5/package/content"
`;
const failing = '#!/bin/sh\necho "npm error network is away"; exit 1\n';

describe('tarballs of npm', () => {
  const home = useTemporaryDirectory('tarballs');
  const { PATH } = process.env;
  afterEach(() => {
    process.env.PATH = PATH;
  });

  const fetchWith = async (programs: Readonly<Record<string, string>>, content = 'parser@1.2.3') => {
    const bin = mkdtempSync(join(home, 'bin-'));
    for (const [name, script] of Object.entries(programs)) writeFileSync(join(bin, name), script, { mode: 0o755 });
    process.env.PATH = `${bin}:/usr/bin:/bin`;
    const directory = mkdtempSync(join(home, 'fetched-'));
    const sha512 = createHash('sha512').update(content).digest('hex');
    const result = await fetchTarballs({
      tarballs: [{ name: 'parser', version: '1.2.3', sha512 }],
      directory,
      faults: { noPrograms: 'No npm.', notFetched: 'Not fetched.', notUnpacked: 'Not unpacked.' },
      signal: undefined,
    });
    return { result, directory };
  };

  it('are unpacked as modules, and nothing else is left', async () => {
    const { result, directory } = await fetchWith({ npm, python3: python });
    assert.ok(!isLeft(result), JSON.stringify(result));
    assert.deepEqual(readdirSync(directory), ['node_modules']);
    assert.equal(readFileSync(join(directory, 'node_modules', 'parser', 'content'), 'utf8'), 'parser@1.2.3');
  });

  it('are refused with another digest, before anything is unpacked', async () => {
    const { result, directory } = await fetchWith({ npm, python3: python }, 'parser@1.2.4');
    assert.ok(isLeft(result));
    assert.match(`${result.left.detail} ${result.left.cause}`, /Not fetched\. parser-1\.2\.3\.tgz has another digest/);
    assert.ok(!existsSync(join(directory, 'package')));
  });

  it('fail with what npm printed', async () => {
    const { result } = await fetchWith({ npm: failing, python3: python });
    assert.ok(isLeft(result));
    assert.deepEqual([result.left.detail, result.left.cause], ['Not fetched.', 'npm error network is away']);
  });

  it('need npm', async () => {
    process.env.PATH = mkdtempSync(join(home, 'empty-'));
    mkdirSync(join(home, 'none'));
    const request = { tarballs: [], directory: join(home, 'none'), signal: undefined };
    const faults = { noPrograms: 'No npm.', notFetched: '', notUnpacked: '' };
    const result = await fetchTarballs({ ...request, faults });
    assert.ok(isLeft(result) && result.left.detail === 'No npm.');
  });
});
