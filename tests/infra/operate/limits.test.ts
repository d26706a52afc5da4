/** `npm run limits`: what it prints of a change. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { scriptArguments } from '../../support/runner/compiled';

describe('npm run limits', () => {
  const directory = useTemporaryDirectory('limits');
  const change = (...numbers: readonly string[]): string =>
    execFileSync(
      process.execPath,
      [
        ...scriptArguments('infra/operate/limits.main.ts'),
        join(directory, 'limits.json'),
        '--rule',
        'command-user',
        ...numbers,
      ],
      { encoding: 'utf8' },
    );

  it('names the numbers before and after, and a burst below the limit', () => {
    const out = change('--limit', '20', '--burst', '10');
    assert.match(out, /^command-user: limit \d+, burst \d+ before, limit 20, burst 10 now\.$/m);
    assert.match(out, /^The burst is below the limit: at most 10 at once/m);
    const again = change('--burst', '40');
    assert.match(again, /^command-user: limit 20, burst 10 before, limit 20, burst 40 now\.$/m);
    assert.ok(!again.includes('below the limit'));
  }).timeout(60_000);
});
