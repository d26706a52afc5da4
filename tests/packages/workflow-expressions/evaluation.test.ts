/** Values of expressions are those of GitHub's library, which has no bounds. */
import assert from 'node:assert/strict';
import type * as Library from '@actions/expressions' with { 'resolution-mode': 'import' };
import fc from 'fast-check';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Expressions, openBudget, type Status } from '../../../packages/workflow-expressions/src/index';
import { anyExpression, contexts, openFor, template } from './fixture';

const contextNames = ['github', 'env', 'matrix', 'needs', 'steps', 'vars'];

/** The value, by the library alone. */
const evaluateByLibrary = (
  { Lexer, Parser, Evaluator, data }: typeof Library,
  expression: string,
): Either<string, unknown> => {
  const toData = (value: unknown): ReturnType<typeof data.reviver> =>
    JSON.parse(JSON.stringify(value ?? null), data.reviver);
  const values = new data.Dictionary(
    ...contextNames.map((key) => ({ key, value: toData((contexts as Record<string, unknown>)[key]) as never })),
  );
  try {
    const tree = new Parser(new Lexer(expression).lex().tokens, contextNames, []).parse();
    return right(JSON.parse(JSON.stringify(new Evaluator(tree, values).evaluate(), data.replacer)));
  } catch (error) {
    return left((error as Error).message);
  }
};

describe('expressions', () => {
  let steps: Expressions;
  let jobs: Expressions;
  let library: typeof Library;
  before(async () => {
    [steps, jobs, library] = [await openFor('step'), await openFor('job'), await import('@actions/expressions')];
  });
  const scope = (status?: Status) => ({ contexts, budget: openBudget(), ...(status === undefined ? {} : { status }) });
  const evaluate = (expression: string): unknown => {
    const value = jobs.evaluate(expression, scope());
    return isLeft(value) ? assert.fail(`${expression}: ${value.left}`) : value.right;
  };

  it('have the values that GitHub’s library gives them', () => {
    let evaluated = 0;
    fc.assert(
      fc.property(anyExpression, (expression) => {
        // The library keeps the second of two quotes in a text but for the first pair.
        fc.pre((expression.match(/''/g) ?? []).length < 2);
        const expected = evaluateByLibrary(library, expression);
        const value = jobs.evaluate(expression, scope());
        assert.equal(isLeft(value), isLeft(expected), `${expression}: ${JSON.stringify([value, expected])}`);
        if (isLeft(value) || isLeft(expected)) return;
        // Values are shared with contexts: JSON compares what a reader sees.
        assert.equal(JSON.stringify(value.right), JSON.stringify(expected.right), expression);
        evaluated += 1;
      }),
      { numRuns: 2_000 },
    );
    assert.ok(evaluated > 200, `${evaluated} expressions have a value`);
  });

  it('see own fields only, whatever their names', () => {
    const own = { contexts: { env: { constructor: 'own' } }, budget: openBudget() };
    assert.deepEqual(jobs.evaluate('env.Constructor', own), right('own'));
    assert.deepEqual(jobs.evaluate('toJSON(env)', own), right('{\n  "constructor": "own"\n}'));
    assert.equal(evaluate('github.constructor'), null);
    assert.equal(evaluate("github['__proto__']"), null);
    assert.deepEqual(Object.keys(evaluate(`fromJSON('{"__proto__":{"x":1}}')`) as object), ['__proto__']);
    assert.equal(evaluate(`fromJSON('{"__proto__":{"x":1}}').x`), null);
    assert.equal(evaluate(`fromJSON('{"__proto__":{"x":1}}')['__PROTO__'].X`), 1);
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
      assert.ok(isLeft(jobs.evaluate(`${name}('x')`, scope())), name);
  });

  it('read every pair of quotes in a text as one quote', () =>
    assert.equal(evaluate("format('it''s {0} isn''t', 'a''b''c')"), "it's a'b'c isn't"));

  it('are replaced in texts, quotes and braces included', () => {
    const text = `a ${template("format('{0}}}', github.event.number)")}b ${template('env.NAME')}${template('steps.none.outputs.x')}`;
    assert.deepEqual(steps.interpolate(text, scope()), right('a 7}b x'));
    assert.deepEqual(steps.interpolate('no $' + '{ } here', scope()), right('no $' + '{ } here'));
    assert.ok(isLeft(steps.interpolate(`a ${template('env.NAME').slice(0, -2)}`, scope())));
    assert.deepEqual(steps.evaluate("fromJSON('[1,2]')", scope()), right([1, 2]));
    assert.deepEqual(jobs.evaluateTemplate(template('matrix.list'), scope()), right(contexts.matrix.list));
    assert.deepEqual(jobs.evaluateTemplate(`${template('matrix.half')}!`, scope()), right('0.1!'));
  });

  it('decide whether a step runs: success is implied where no status function is named', () => {
    const going = { isSuccess: true, hasFailure: false, isCanceled: false };
    const failed = { isSuccess: false, hasFailure: true, isCanceled: false };
    const canceled = { isSuccess: false, hasFailure: true, isCanceled: true };
    const holds = (condition: string | null) =>
      [going, failed, canceled].map((status) => {
        const answer = steps.holds(condition, scope(status));
        return isLeft(answer) ? answer.left : answer.right;
      });
    assert.deepEqual(holds(null), [true, false, false]);
    assert.deepEqual(holds("github.ref == 'refs/heads/main'"), [true, false, false]);
    assert.deepEqual(holds('failure()'), [false, true, false]);
    assert.deepEqual(holds('always()'), [true, true, true]);
    assert.deepEqual(holds('cancelled()'), [false, false, true]);
    assert.deepEqual(holds('!cancelled()'), [true, true, false]);
    assert.deepEqual(holds(template("FAILURE() && env.NAME == 'X'")), [false, true, false]);
    assert.deepEqual(holds("contains('always()', 'a')"), [true, false, false]);
    assert.deepEqual(holds(`contains('${template('x')}', '{')`), [true, false, false]);
    assert.ok(isLeft(steps.holds("success('build')", scope())));
    assert.deepEqual(jobs.holds("success('build')", scope()), right(true));
  });

  it('that are faulty are refused, and never throw', () =>
    fc.assert(
      fc.property(fc.string(), (text) => {
        steps.holds(text, scope());
        steps.interpolate(`${text}$\{{${text}}}`, scope());
      }),
    ));
});
