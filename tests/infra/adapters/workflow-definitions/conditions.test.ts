import { strict as assert } from 'node:assert';
import { isLeft, isRight } from 'fp-ts/Either';
import type { StatusFacts } from '../../../../infra/ports/workflow/definitions';
import { conditionExpression, templateParts } from '../../../../packages/workflow-expressions/src/index';
import { opened } from './fixture';

const { definitions } = opened();

const succeeded: StatusFacts = { isCanceled: false, hasFailure: false, isSuccess: true };
const failed: StatusFacts = { isCanceled: false, hasFailure: true, isSuccess: false };
/** A needed job was skipped. */
const skipped: StatusFacts = { isCanceled: false, hasFailure: false, isSuccess: false };
const canceled: StatusFacts = { isCanceled: true, hasFailure: false, isSuccess: false };
const facts = [succeeded, failed, skipped, canceled];

const contexts = {
  github: { ref: 'refs/heads/main', event_name: 'push' },
  needs: { a: { result: 'success', outputs: { go: 'yes' } }, b: { result: 'failure', outputs: {} } },
};

const holds = (condition: string | null, status: StatusFacts): boolean => {
  const value = definitions.holds(condition, contexts, status);
  assert(isRight(value), JSON.stringify(value));
  return value.right;
};

describe('conditions of jobs', () => {
  after(definitions.close);

  /** After success, failure, a skipped need, and a cancel. */
  const table: readonly (readonly [condition: string | null, values: readonly boolean[]])[] = [
    [null, [true, false, false, false]],
    ['', [true, false, false, false]],
    ['success()', [true, false, false, false]],
    ['failure()', [false, true, false, false]],
    ['cancelled()', [false, false, false, true]],
    ['always()', [true, true, true, true]],
    ['!cancelled()', [true, true, true, false]],
    ['ALWAYS()', [true, true, true, true]],
    ['success() || failure()', [true, true, false, false]],
    ["github.ref == 'refs/heads/main'", [true, false, false, false]],
    ["github.ref == 'refs/heads/other'", [false, false, false, false]],
    ["needs.a.outputs.go == 'yes'", [true, false, false, false]],
    ["always() && needs.b.result == 'failure'", [true, true, true, true]],
    ["failure() && github.event_name == 'push'", [false, true, false, false]],
    ["contains(github.ref, 'always()')", [false, false, false, false]],
    ["'always()' != ''", [true, false, false, false]],
    ['true', [true, false, false, false]],
    ['false', [false, false, false, false]],
    ['0', [false, false, false, false]],
    ['github.missing.deeper', [false, false, false, false]],
    ["success('a')", [true, true, true, false]],
    ["failure('a', 'b')", [true, true, true, false]],
  ];
  for (const [condition, values] of table)
    it(`${condition === null ? 'none' : `"${condition}"`} holds as on GitHub`, () => {
      assert.deepEqual(
        facts.map((status) => holds(condition, status)),
        values,
      );
    });

  it('without a value say why', () => {
    for (const condition of ['github.', 'nope()', "fromJSON('{')", "hashFiles('a')", 'x.y', 'success(']) {
      const value = definitions.holds(condition, contexts, succeeded);
      assert(isLeft(value), condition);
      assert.match(value.left.message, /^The condition has no value: .+\.$/);
    }
  });
});

describe('texts with expressions', () => {
  it('are cut at expressions, in whose texts braces mean nothing', () => {
    assert.deepEqual(templateParts("a ${{ format('}}', b) }}c${{ d }}"), [
      { kind: 'text', text: 'a ' },
      { kind: 'expression', text: "format('}}', b)", index: 0 },
      { kind: 'text', text: 'c' },
      { kind: 'expression', text: 'd', index: 1 },
    ]);
  });

  it('that do not end are text', () => {
    assert.deepEqual(templateParts('a ${{ b'), [{ kind: 'text', text: 'a ${{ b' }]);
  });

  it('are conditions, with or without the braces', () => {
    assert.equal(conditionExpression(' github.ref '), 'github.ref');
    assert.equal(conditionExpression('${{ github.ref }}'), 'github.ref');
    assert.equal(conditionExpression("${{ a }} && it's {x}"), "format('{0} && it''s {{x}}', a)");
  });
});
