/** What every other file here relies on: processes of the compiled sources are those of the sources. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { typescript } from '../../support/runner/compiled';

const outputOf = (code: string): string =>
  execFileSync(process.execPath, [...typescript(), '-e', code], { encoding: 'utf8', stdio: 'pipe' });

describe('a process of compiled sources', () => {
  const home = useTemporaryDirectory('late');

  it('names the line of the source that failed', () => {
    const code = `try { require('./tests/support/runner/failing.main.ts'); } catch (error) { console.log(error.stack); }`;
    assert.match(outputOf(code), /^Error: as it is told to\n {4}at .*tests\/support\/runner\/failing\.main\.ts:9:7\)/);
  });

  it('runs a source that was not there when the run began', () => {
    const late = join(home, 'late.ts');
    writeFileSync(late, 'export const late: string = (["l", "ate"] as const).join("");');
    assert.equal(outputOf(`console.log(require(${JSON.stringify(late)}).late)`), 'late\n');
  });

  it('is the same when it is loaded as the first one of its script left it', () => {
    const failing = `try { require('./tests/support/runner/failing.main.ts'); } catch (error) { console.log(error.stack); }`;
    const code = `require('pg'); require('io-ts'); console.log(require.resolve('pg'), require.main === module); ${failing}`;
    // Processes of other files leave their code there at the same time.
    const options = [undefined, ...typescript(), '-e', code, process.env.NODE_OPTIONS].join('\0');
    const name = createHash('sha256').update(options).digest('hex');
    const cache = join(typescript()[1] as string, '..', '..', '..', '..', 'kept', name);
    assert.ok(!existsSync(cache));
    const first = outputOf(code);
    const written = statSync(cache).mtimeMs;
    assert.match(first, /failing\.main\.ts:9:7\)/);
    assert.equal(outputOf(code), first);
    assert.equal(statSync(cache).mtimeMs, written);
  });

  it('imports what it asks for later, also when it is loaded as the first one left it', () => {
    const late = join(home, 'imports.ts');
    writeFileSync(late, "export const library = () => import('node:path');");
    const code = `require('pg'); require('io-ts'); require(${JSON.stringify(late)}).library().then(({ sep }) => console.log(sep))`;
    assert.deepEqual([outputOf(code), outputOf(code)], ['/\n', '/\n']);
  });

  it('says why a source cannot be run', () => {
    const broken = join(home, 'broken.ts');
    writeFileSync(broken, 'export const = 1;');
    assert.throws(() => outputOf(`require(${JSON.stringify(broken)})`), /broken\.ts:1:13: ERROR: Expected identifier/);
  });
});
