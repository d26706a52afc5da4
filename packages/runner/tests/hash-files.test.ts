/** `hashFiles` in expressions of steps. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { needs } from '../../../tests/support/runner/prerequisites';
import { inRunner, statusesOf } from './support/fixture';

const expression = (text: string): string => `\${{ ${text} }}`;
const digest = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest();
/** As GitHub's: the digest of the digests. */
const hashOf = (...contents: readonly string[]): string =>
  digest(Buffer.concat(contents.map((content) => digest(content)))).toString('hex');

describe('hashFiles', function () {
  this.timeout(20_000);
  needs('isolation');

  it('hashes what the patterns name in the workspace, when the step begins', () =>
    inRunner(async ({ plane, perform }) => {
      const report = await perform({
        steps: [
          { run: `echo "none[${expression("hashFiles('**/lock')")}]"` },
          { run: 'mkdir -p a/.b "c d"; printf one > lock; printf two > a/.b/lock; printf three > "c d/lock"' },
          { run: `echo "all[${expression("hashFiles('**/lock')")}]"` },
          { run: `echo "some[${expression("hashFiles('*/lock', 'lock', '!**/.b/*', format('a/.b/{0}', 'none'))")}]"` },
          { run: `printf four > lock; echo "before[${expression("hashFiles('lock')")}]"` },
          { run: `echo "after[${expression("HASHFILES('lock')")}]"`, if: "hashFiles('lock') != ''" },
          { run: 'echo never', if: "hashFiles('absent') != ''" },
        ],
      });
      const log = plane.log();
      assert.ok(log.includes('none[]'));
      assert.ok(log.includes(`all[${hashOf('two', 'three', 'one')}]`), log);
      assert.ok(log.includes(`some[${hashOf('three', 'one')}]`), log);
      assert.ok(log.includes(`before[${hashOf('one')}]`));
      assert.ok(log.includes(`after[${hashOf('four')}]`));
      assert.deepEqual(statusesOf(report).slice(-2), ['success', 'skipped']);
    }));

  it('fails the step where it has too many values', () =>
    inRunner(async ({ plane, perform }) => {
      const many = Array.from({ length: 21 }, (_, index) => expression(`hashFiles('${index}')`)).join(' ');
      const report = await perform({ steps: [{ run: `echo ${many}` }] });
      assert.equal(report.result, 'failure');
      assert.match(plane.log(), /A step may have 20 values of hashFiles/);
    }));
});
