/** What tenants write is evaluated in processes that all of them share: it stays within its bounds, or has no value. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import { limits } from '../../../packages/workflow-expressions/src/budget';
import { type Expressions, openBudget } from '../../../packages/workflow-expressions/src/index';
import { anyExpression, contexts, openFor, template } from './fixture';

const longestText = 1_048_576;

/** Counts the work of evaluations: what they spent before they were refused, and whether they went on after that. */
const countedBudget = () => {
  const budget = openBudget();
  const work = { operations: 0, characters: 0, callsAfterRefusal: 0 };
  let isRefused = false;
  const count = (name: 'operations' | 'characters', amount: number, spend: (amount: number) => void): void => {
    if (isRefused) work.callsAfterRefusal += 1;
    try {
      spend(amount);
    } catch (error) {
      isRefused = true;
      throw error;
    }
    work[name] += amount;
  };
  return {
    work,
    budget: {
      spend: (operations: number) => count('operations', operations, budget.spend),
      countText: (length: number) => count('characters', length, budget.countText),
    },
  };
};

/** A step is counted before it is done, so refused steps cost nothing. */
const assertBounded = ({
  operations,
  characters,
  callsAfterRefusal,
}: ReturnType<typeof countedBudget>['work']): void => {
  assert.ok(operations <= limits.operations, `${operations} operations`);
  assert.ok(characters <= limits.totalLength, `${characters} characters`);
  assert.equal(callsAfterRefusal, 0, 'nothing is evaluated after the refusal');
};

/** 298 characters that make 8 to the power of 9. */
const bomb = `${"format('{0}{0}{0}{0}{0}{0}{0}{0}',".repeat(8)}'xxxxxxxx'${')'.repeat(8)}`;

const large = 'a'.repeat(1_000_000);
const hostile = {
  ...contexts,
  steps: {
    large: { outputs: { text: large, needle: `b${'a'.repeat(400_000)}`, braces: '{'.repeat(999_999) } },
    json: {
      outputs: {
        deep: '['.repeat(500_000),
        nested: `${'['.repeat(400_000)}${']'.repeat(400_000)}`,
        empty: `[${'{},'.repeat(300_000)}{}]`,
        numbers: `[${'0,'.repeat(450_000)}0]`,
        keys: `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join()}}`,
        indented: `${'['.repeat(99)}${'0,'.repeat(300_000)}0${']'.repeat(99)}`,
      },
    },
  },
};
const outputs = (step: 'large' | 'json', name: string): string => `steps.${step}.outputs.${name}`;
const json = (name: string): string => `fromJSON(${outputs('json', name)})`;
const repeated = (text: string, separator: string, length = 20_000): string =>
  Array.from({ length: Math.floor(length / (text.length + separator.length)) }, () => text).join(separator);

describe('bounds of expressions', function () {
  this.timeout(60_000);
  let expressions: Expressions;
  before(async () => {
    expressions = await openFor('step');
  });

  const refusals: { readonly [what: string]: readonly [expression: string, reason: RegExp] } = {
    'a text that grows with each call': [bomb, /longer than 1048576 characters/],
    'a text of many arguments': [`join(${json('numbers')}, ${outputs('large', 'text')})`, /longer than|operations/],
    'long texts that are compared again and again': [
      repeated(`${outputs('large', 'text')}==${outputs('large', 'text')}`, '||').replaceAll('==', '!='),
      /operations/,
    ],
    'a list that is searched for a long text': [
      `contains(${json('numbers')}, ${outputs('large', 'text')})`,
      /operations/,
    ],
    'a search that engines do in the product of both lengths': [
      repeated(`contains(${outputs('large', 'text')}, ${outputs('large', 'needle')})`, '||'),
      /operations/,
    ],
    'a format whose braces do not end': [`format(${outputs('large', 'braces')}, 1)`, /format string is invalid/],
    'JSON that is nested deeply': [json('nested'), /deeper than 100 levels/],
    'JSON that has no end': [json('deep'), /Error parsing JSON/],
    'JSON that is indented': [`toJSON(${json('indented')})`, /longer than 1048576 characters|operations/],
    'values that live at once': [`format('', ${repeated(json('empty'), ', ', 4_000)})`, /operations/],
    'lists of everything': [`format('', ${repeated(`${json('numbers')}.*.*`, ', ', 4_000)})`, /operations/],
    'fields whose names differ in case only': [repeated(`${json('keys')}.K0`, '&&'), /operations/],
    'comparisons in a chain': [repeated('1', '=='), /deeper than 500 levels/],
    parentheses: [`${'('.repeat(9_000)}1${')'.repeat(9_000)}`, /Exceeded max expression depth/],
    negations: ['!'.repeat(20_000), /Exceeded max expression depth/],
    'more than an expression may have': [`'${'x'.repeat(21_000)}'`, /longer than 21000 characters/],
  };
  for (const [what, [expression, reason]] of Object.entries(refusals))
    it(`refuse ${what}`, () => {
      const { budget, work } = countedBudget();
      const value = expressions.evaluate(expression, { contexts: hostile, budget });
      assert.ok(isLeft(value), what);
      assert.match(value.left, reason);
      assert.ok(value.left.length < 1_000);
      assertBounded(work);
    });

  it('hold for all expressions of a budget together', () => {
    const budget = openBudget();
    const part = "format('{0}', steps.large.outputs.text)";
    const values = Array.from({ length: 6 }, () =>
      expressions.interpolate(`${template(part)}.`, { contexts: hostile, budget }),
    );
    assert.deepEqual(values.map(isLeft), [false, false, false, false, true, true]);
    assert.match(JSON.stringify(values[4]), /longer than 4194304 characters together/);
    const many = template('github.ref').repeat(500_000);
    assert.ok(isLeft(expressions.interpolate(many, { contexts, budget: openBudget() })));
  });

  it('leave everything that is ordinary its value', () => {
    for (const expression of [
      `contains(${outputs('large', 'text')}, 'AAA')`,
      json('numbers'),
      `toJSON(${json('keys')})`,
      `${json('keys')}.K9`,
    ])
      assert.ok(!isLeft(expressions.evaluate(expression, { contexts: hostile, budget: openBudget() })), expression);
  });

  it('are never exceeded, whatever is evaluated', () =>
    fc.assert(
      fc.property(anyExpression, fc.integer({ min: 0, max: 24 }), (inner, levels) => {
        const expression = `${"format('{0}{0}{0}', ".repeat(levels)}${inner}${')'.repeat(levels)}`;
        const { budget, work } = countedBudget();
        const value = expressions.interpolate(template(expression), { contexts: hostile, budget });
        assert.ok(isLeft(value) || value.right.length <= longestText);
        assertBounded(work);
      }),
      { numRuns: 500 },
    ));
});
