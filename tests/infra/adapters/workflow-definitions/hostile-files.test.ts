import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { job, opened } from './fixture';

const { definitions, expand, problems, triggerProblems } = opened();

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

const tooDeep = 'The file is nested deeper than 50 levels.';

/** A value in lists, `levels` deep below the file's mapping. */
const nested = (levels: number): string => `on: push\nx: ${'['.repeat(levels)}1${']'.repeat(levels)}\n`;

describe('hostile workflow files', () => {
  after(definitions.close);

  it('nested deeper than 50 levels are refused at the place, however they nest', async () => {
    const files = { '[': 51, '{': 51, '- ': 102, '? ': 102, 'a: ': 153 };
    for (const [text, column] of Object.entries(files)) {
      const [only] = await problems(text.repeat(200_000 / text.length));
      assert.equal(only?.[2], tooDeep);
      assert.equal(only[0], 1);
      assert(Math.abs((only[1] ?? 0) - column) <= 4, `${text} at ${only[1]}`);
    }
  });

  it('nested 50 levels deep are read', async () => {
    assert.notEqual((await problems(nested(49)))[0]?.[2], tooDeep);
    assert.equal((await problems(nested(51)))[0]?.[2], tooDeep);
  });

  it('with aliases of aliases are refused when they stand for too much', async () => {
    const lines = [...'bcdefghij'].map(
      (name, index) => `${name}: &${name} [${Array.from({ length: 40 }, () => `*${'abcdefghi'[index]}`).join(', ')}]`,
    );
    const [only] = await problems(['a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]', ...lines].join('\n'));
    assert.equal(only?.[2], 'The file has more than 500 aliases.');
    const list = `a: &a [${'1, '.repeat(1_000)}]`;
    const [large] = await problems([list, ...numbers(30).map((index) => `b${index}: *a`)].join('\n'));
    assert.equal(large?.[2], 'The file has more than 20000 values, with what its aliases stand for.');
  });

  it('with too many lines or tokens are refused at the place, before they are read', async () => {
    const tokens = 'The file has more than 100000 tokens of YAML.';
    const lines = 'The file has more than 50000 lines.';
    const files: { readonly [yaml: string]: string } = {
      [`a: [${','.repeat(300_000)}]\n`]: tokens,
      [`on: push\n${numbers(24_000)
        .map((index) => `k${index}: 1`)
        .join('\n')}`]: tokens,
      ['\t: :\n'.repeat(100_000)]: lines,
      [`on: push\na: |\n${'\n'.repeat(490_000)}`]: lines,
    };
    for (const [yaml, message] of Object.entries(files)) {
      assert.equal((await problems(yaml))[0]?.[2], message);
      assert.equal((await triggerProblems(yaml))[0]?.[2], message);
    }
  });

  it('with a key that is defined twice are refused at the second', async () => {
    const message = 'The key "a" is already defined.';
    assert.deepEqual(await triggerProblems('on: push\na: 1\na: 1\n'), [[3, 1, message]]);
    assert.deepEqual(await problems(`on: push\n${'a: 1\n'.repeat(12_000)}`), [[3, 1, message]]);
  });

  it('whose jobs need too many others are refused at the place', async () => {
    const needing = (count: number): string =>
      ['on: push', 'jobs:']
        .concat(
          numbers(count).map(
            (index) =>
              `  j${index}: { runs-on: x, needs: [${numbers(index)
                .map((each) => `j${each}`)
                .join(', ')}], steps: [{ run: x }] }`,
          ),
        )
        .join('\n');
    assert.equal((await expand(needing(90))).jobs.length, 90);
    assert.deepEqual(await problems(needing(100)), [[94, 22, '"needs" of all jobs name more than 4096 jobs.']]);
  });

  it('with more jobs than a run may have are refused before their matrices are made', async () => {
    const matrix = `strategy: { matrix: { a: "\${{ fromJSON('[${'1,'.repeat(255)}1]') }}" } }`;
    const jobs = (count: number): string =>
      `on: push\njobs:\n${numbers(count)
        .map((index) => `  j${index}: { runs-on: x, ${matrix}, steps: [{ run: x }] }\n`)
        .join('')}`;
    const message = 'The workflow has more than the 256 jobs that are allowed in one run.';
    assert.deepEqual(await problems(jobs(300)), [[2, 1, message]]);
    assert.deepEqual(await problems(jobs(200)), [[2, 1, message]]);
  });

  it('whose combinations repeat a long name are refused', async () => {
    const name = `name: "${'${{ matrix.a }}'.repeat(20_000)}"`;
    const matrix = `strategy: { matrix: { a: [${numbers(256).join(', ')}] } }`;
    assert.match((await problems(job(matrix, name)))[0]?.[2] ?? '', /written in more than 4194304 characters/);
  });

  it('with an alias inside its own anchor, or before it, are refused at the place', async () => {
    assert.deepEqual(await problems('a: &a [*a]\n'), [[1, 8, 'The alias "a" contains itself.']]);
    assert.equal((await problems('a: *b\nb: &b 1\n'))[0]?.[0], 1);
  });

  it('with anchors that are used twice are read', async () => {
    const shared = ['steps: &steps', '  - run: make', '', '  other:', '    runs-on: linux', '    steps: *steps'];
    const yaml = [
      'on: push',
      'jobs:',
      '  test:',
      '    runs-on: linux',
      ...shared.map((line, at) => (at < 2 ? `    ${line}` : line)),
    ].join('\n');
    const { jobs, content } = await expand(yaml);
    assert.deepEqual(
      jobs.map(({ key }) => key),
      ['test', 'other'],
    );
    assert.deepEqual(content.jobs.test?.steps, content.jobs.other?.steps);
  });

  it('larger than 512,000 bytes, without UTF-8, or with several documents are refused', async () => {
    assert.deepEqual(await problems(`# ${'x'.repeat(512_000)}`), [
      [null, null, 'The file is larger than 512000 bytes.'],
    ]);
    assert.deepEqual(await problems(new Uint8Array([0xff, 0xfe, 0x41])), [[null, null, 'The file is not UTF-8.']]);
    assert.deepEqual(await problems('on: push\n---\non: push\n'), [
      [2, 1, 'The file holds more than one YAML document.'],
    ]);
  });

  it('with faults of YAML are refused at the place', async () => {
    const [first] = await problems('on: push\njobs:\n  a: [1\n');
    assert.deepEqual(first?.slice(0, 2), [4, 1]);
    assert.deepEqual(await problems('on: push\n? [a]\n: 1\n'), [[2, 3, 'A key must be text.']]);
  });

  it('whose expressions grow are refused', async () => {
    const doubled = Array.from({ length: 40 }, () => "format('{0}{0}', ").join('');
    const [only] = await problems(job(`name: \${{ ${doubled}'x'${')'.repeat(40)} }}`));
    assert.equal(only?.[2], 'The text would be longer than 1048576 characters.');
  });

  it('whose conditions grow have no value', () => {
    const doubled = Array.from({ length: 40 }, () => "format('{0}{0}', ").join('');
    const status = { isCanceled: false, hasFailure: false, isSuccess: true };
    assert(isLeft(definitions.holds(`${doubled}'x'${')'.repeat(40)}`, {}, status)));
    assert(isLeft(definitions.holds('!'.repeat(9_000), {}, status)));
    const needs = { a: { outputs: { text: 'x'.repeat(65_536) } } };
    const long = Array.from({ length: 200 }, () => 'needs.a.outputs.text==needs.a.outputs.text').join('&&');
    assert(isLeft(definitions.holds(long, { needs }, status)));
  });

  it('whose combinations repeat large steps are refused', async () => {
    const steps = `steps: [{ run: '${'x'.repeat(200_000)}' }]`;
    const matrix = `strategy: { matrix: { a: [${Array.from({ length: 200 }, (_, index) => index).join(', ')}] } }`;
    const [only] = await problems(`on: push\njobs:\n  a:\n    runs-on: x\n    ${matrix}\n    ${steps}\n`);
    const message = 'The steps and values of all combinations up to "a" are larger than 33554432 characters.';
    assert.deepEqual(only, [3, 3, message]);
  });

  it('whose combinations repeat large values are refused', async () => {
    const large = `\${{ fromJSON(format('["{0}"]', ${"format('{0}{0}', ".repeat(18)}'xx'${')'.repeat(18)})) }}`;
    const matrix = `strategy: { matrix: { a: [${Array.from({ length: 200 }, (_, index) => index).join(', ')}], b: "${large.replaceAll('"', '\\"')}" } }`;
    const [only] = await problems(`on: push\njobs:\n  a:\n    runs-on: x\n    ${matrix}\n    steps: [{ run: x }]\n`);
    assert.match(only?.[2] ?? '', /steps and values of all combinations up to "a" are larger than 33554432/);
  });

  it('whose keys together repeat large steps are refused', async () => {
    const matrix = `strategy: { matrix: { a: [${Array.from({ length: 100 }, (_, index) => index).join(', ')}] } }`;
    const key = (name: string): string =>
      `  ${name}:\n    runs-on: x\n    ${matrix}\n    steps: [{ run: '${'x'.repeat(180_000)}' }]\n`;
    const [only] = await problems(`on: push\njobs:\n${key('a')}${key('b')}`);
    assert.match(only?.[2] ?? '', /combinations up to "b" are larger/);
  });

  it('never make the parser fail, whatever they hold', async () => {
    const key = fc.constantFrom(
      'on',
      'jobs',
      'a',
      'steps',
      'if',
      'needs',
      'strategy',
      'matrix',
      'include',
      'run',
      'env',
      'runs-on',
      'uses',
      'name',
    );
    const leaf = fc.constantFrom<unknown>(
      null,
      true,
      7,
      'push',
      '${{ a',
      '${{ needs.a }}',
      '${{ fromJSON(1) }}',
      '',
      [],
      {},
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        leaf,
        fc.dictionary(key, tie('tree'), { maxKeys: 5, noNullPrototype: true }),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    }));
    const workflow = fc.record({ on: fc.constant('push'), jobs: fc.dictionary(key, tree, { noNullPrototype: true }) });
    await fc.assert(
      fc.asyncProperty(fc.oneof(tree, workflow), async (value) => {
        const yaml = new TextEncoder().encode(JSON.stringify(value));
        const request = {
          tenantId: 'tenant',
          path: 'a.yml',
          yaml,
          contexts: {},
          mostJobs: 10,
          jobId: (name: string) => name,
        };
        const answer = await definitions.expand(request);
        assert(isRight(answer) || Array.isArray(answer.left));
        if (isLeft(answer)) assert(!JSON.stringify(answer.left).includes('the parser fails'), JSON.stringify(value));
      }),
      { numRuns: 150 },
    );
  });

  it('that take too long or too much memory end the thread, and the next file is read', async () => {
    const slow = opened({ timeoutMilliseconds: 1 });
    // Read without a bound, it takes half a second.
    const long = `on: push\n${numbers(9_000)
      .map((index) => `k${index}: 1`)
      .join('\n')}`;
    assert.deepEqual(await slow.problems(long), [[null, null, 'The file takes longer than 0.001 seconds to read.']]);
    await slow.definitions.close();
    const small = opened({ heapMegabytes: 24 });
    const large = `on: push\njobs: [${'1,'.repeat(32_000)}]\n`;
    assert.deepEqual(await small.problems(large), [
      [null, null, 'The file takes more memory to read than is allowed.'],
    ]);
    assert.equal((await small.expand(job())).jobs.length, 1);
    await small.definitions.close();
  });

  it('are not read after the end', async () => {
    const closed = opened();
    await closed.definitions.close();
    const request = {
      tenantId: 'tenant',
      path: 'a',
      yaml: new Uint8Array(),
      contexts: {},
      mostJobs: 1,
      jobId: (name: string) => name,
    };
    const answer = await closed.definitions.expand(request);
    assert(isLeft(answer) && 'code' in answer.left);
    assert.equal(answer.left.code, 'definition-parser-unavailable');
  });
});
