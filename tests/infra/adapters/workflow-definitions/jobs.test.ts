import { strict as assert } from 'node:assert';
import { GraphContent, JobContent } from '../../../../domain/workflow/protocol/job-content';
import { JobNode } from '../../../../domain/workflow/run/events';
import { job, opened } from './fixture';

const { definitions, expand, problems } = opened();

const workflow = (...lines: readonly string[]): string => ['on: push', ...lines, ''].join('\n');

/** Jobs by key, each of one line of YAML. */
const jobs = (definitionsByKey: { readonly [key: string]: string }): string =>
  workflow('jobs:', ...Object.entries(definitionsByKey).map(([key, text]) => `  ${key}: ${text}`));

const plain = 'runs-on: linux, steps: [{ run: make }]';

describe('workflow files', () => {
  after(definitions.close);

  describe('jobs of a workflow file', () => {
    it('have the defaults of GitHub', async () => {
      const { jobs: nodes, content, planned, concurrency, parser } = await expand(job());
      assert.deepEqual(nodes, [
        {
          jobId: 'test',
          key: 'test',
          name: 'test',
          needs: [],
          condition: null,
          labels: ['linux'],
          timeoutMinutes: 360,
          continueOnError: false,
          failFast: true,
          maxParallel: null,
          lostRetries: 1,
          cancelGraceSeconds: 300,
        },
      ]);
      assert.deepEqual(content.jobs.test, {
        env: {},
        outputs: {},
        matrix: {},
        strategy: { jobIndex: 0, jobTotal: 1, failFast: true, maxParallel: 1 },
        steps: [
          {
            id: '__1',
            name: 'Run make',
            condition: null,
            run: 'make',
            uses: null,
            with: {},
            shell: null,
            workingDirectory: null,
            env: {},
            timeoutMinutes: null,
            continueOnError: false,
          },
        ],
      });
      assert.deepEqual([planned, concurrency], [[], undefined]);
      assert.match(parser, /^@actions\/workflow-parser \d+\.\d+\.\d+$/);
    });

    it('are what the protocol of runners and the events accept', async () => {
      const id = '4b8f0c3e-0d6e-4f0a-9a57-9a1fb9f5a0c1';
      const yaml = job('permissions: { contents: read }', 'strategy: { matrix: { a: [1] } }');
      const { jobs: nodes, content } = await expand(yaml, { jobId: () => id });
      assert(nodes.every((node) => JobNode.is(node)));
      assert(GraphContent.is(content));
      assert(JobContent.is(content.jobs[id]));
    });

    it('carry what the file says of them', async () => {
      const { jobs: nodes } = await expand(
        job(
          'name: Build it',
          'timeout-minutes: 2.5',
          'cancel-timeout-minutes: 1',
          'continue-on-error: true',
          "if: ${{ github.ref == 'refs/heads/main' }}",
        ),
      );
      const node = nodes[0]!;
      assert.equal(node.name, 'Build it');
      assert.equal(node.timeoutMinutes, 3);
      assert.equal(node.cancelGraceSeconds, 60);
      assert.equal(node.continueOnError, true);
      assert.equal(node.condition, "github.ref == 'refs/heads/main'");
    });

    it('wait for the keys they need, one or several', async () => {
      const { jobs: nodes } = await expand(
        jobs({ a: `{ ${plain} }`, b: `{ needs: a, ${plain} }`, c: `{ needs: [a, b], ${plain} }` }),
      );
      assert.deepEqual(
        nodes.map(({ key, needs }) => [key, needs]),
        [
          ['a', []],
          ['b', ['a']],
          ['c', ['a', 'b']],
        ],
      );
    });

    it('need labels, in lower case and evaluated', async () => {
      const text = (runsOn: string) => jobs({ a: `{ runs-on: ${runsOn}, steps: [{ run: make }] }` });
      const labels = async (runsOn: string) => (await expand(text(runsOn))).jobs[0]?.labels;
      assert.deepEqual(await labels('[Self-Hosted, Linux]'), ['self-hosted', 'linux']);
      assert.deepEqual(await labels('"${{ github.event_name }}-x"'), ['push-x']);
      assert.deepEqual(await labels(`"\${{ fromJSON('[\\"a\\", \\"b\\"]') }}"`), ['a', 'b']);
      assert.deepEqual(await labels('{ labels: [gpu] }'), ['gpu']);
      assert.deepEqual(await problems(text('{ group: big, labels: gpu }')), [
        [3, 19, 'Groups of runners are not supported, only labels: job "a".'],
      ]);
    });

    it('have the environment of the workflow under their own', async () => {
      const { content } = await expand(
        workflow('env: { A: 1, B: 2 }', `jobs: { t: { env: { B: "\${{ github.ref }}", C: }, ${plain} } }`),
      );
      assert.deepEqual(content.jobs.t?.env, { A: '1', B: '${{ github.ref }}', C: '' });
    });

    it('have steps with the defaults of workflow and job', async () => {
      const { content } = await expand(
        workflow(
          'defaults: { run: { shell: sh, working-directory: all } }',
          'jobs:',
          '  t:',
          '    runs-on: linux',
          '    defaults: { run: { working-directory: mine } }',
          '    steps:',
          '      - run: a',
          '      - run: b',
          '        shell: python',
          '        working-directory: here',
          '      - uses: actions/checkout@v4',
        ),
      );
      assert.deepEqual(
        content.jobs.t?.steps.map(({ shell, workingDirectory }) => [shell, workingDirectory]),
        [
          ['sh', 'mine'],
          ['python', 'here'],
          [null, null],
        ],
      );
    });

    it('have steps whose expressions stay as written', async () => {
      const { content } = await expand(
        workflow(
          'jobs:',
          '  t:',
          '    runs-on: linux',
          '    outputs: { made: "${{ steps.make.outputs.made }}" }',
          '    steps:',
          '      - id: make',
          '        name: Make ${{ github.ref }}',
          '        if: failure() && ${{ env.X }}',
          '        timeout-minutes: ${{ fromJSON(env.X) }}',
          '        continue-on-error: ${{ env.X == 1 }}',
          '        env: { TOKEN: "${{ github.token }}" }',
          '        run: |',
          '          echo ${{ github.sha }}',
          '          echo two',
          '      - uses: Actions/Upload-Artifact@v4',
          '        with: { name: "${{ github.sha }}", retention-days: 3, overwrite: true }',
          '        timeout-minutes: 0.5',
        ),
      );
      assert.deepEqual(content.jobs.t?.outputs, { made: '${{ steps.make.outputs.made }}' });
      const [make, upload] = [content.jobs.t!.steps[0]!, content.jobs.t!.steps[1]!];
      assert.deepEqual(make, {
        id: 'make',
        name: 'Make ${{ github.ref }}',
        condition: "format('failure() && {0}', env.X)",
        run: 'echo ${{ github.sha }}\necho two\n',
        uses: null,
        with: {},
        shell: null,
        workingDirectory: null,
        env: { TOKEN: '${{ github.token }}' },
        timeoutMinutes: '${{ fromJSON(env.X) }}',
        continueOnError: '${{ env.X == 1 }}',
      });
      assert.equal(upload.uses, 'actions/upload-artifact');
      assert.equal(upload.timeoutMinutes, 0.5);
      assert.deepEqual(upload.with, { name: '${{ github.sha }}', 'retention-days': '3', overwrite: 'true' });
    });

    it('have the permissions of their own, else of the workflow', async () => {
      const { content } = await expand(
        workflow(
          'permissions: read-all',
          `jobs: { a: { ${plain} }, b: { permissions: { contents: write }, ${plain} }, c: { permissions: {}, ${plain} } }`,
        ),
      );
      assert.deepEqual(content.jobs.a?.permissions, { all: 'read' });
      assert.deepEqual(content.jobs.b?.permissions, { contents: 'write' });
      assert.deepEqual(content.jobs.c?.permissions, {});
    });

    it('of a matrix have names, ids and contents of their combination', async () => {
      const { jobs: nodes, content } = await expand(
        job(
          'strategy: { max-parallel: 1, fail-fast: false, matrix: { os: [linux, mac], node: [20] } }',
          'timeout-minutes: "${{ matrix.node }}"',
        ),
      );
      assert.deepEqual(
        nodes.map(({ name, timeoutMinutes, failFast, maxParallel }) => [name, timeoutMinutes, failFast, maxParallel]),
        [
          ['test (linux, 20)', 20, false, 1],
          ['test (mac, 20)', 20, false, 1],
        ],
      );
      const second = content.jobs['test {"os":"mac","node":20}']!;
      assert.deepEqual(second.matrix, { os: 'mac', node: 20 });
      assert.deepEqual(second.strategy, { jobIndex: 1, jobTotal: 2, failFast: false, maxParallel: 1 });
    });

    it('of a matrix are named by an expression of their own', async () => {
      const { jobs: nodes } = await expand(
        job('strategy: { matrix: { v: [1, 2] } }', 'name: Version ${{ matrix.v }} of ${{ strategy.job-total }}'),
      );
      assert.deepEqual(
        nodes.map(({ name }) => name),
        ['Version 1 of 2', 'Version 2 of 2'],
      );
    });

    it('of equal combinations have ids of their own', async () => {
      const { jobs: nodes } = await expand(job('strategy: { matrix: { include: [{ a: 1 }, { a: 1 }] } }'));
      assert.deepEqual(
        nodes.map(({ jobId }) => jobId),
        ['test {"a":1}', 'test {"a":1} #2'],
      );
    });

    it('of a matrix that excludes everything are one that is skipped', async () => {
      const { jobs: nodes } = await expand(job('strategy: { matrix: { a: [1], exclude: [{ a: 1 }] } }'));
      assert.deepEqual(
        nodes.map(({ name, condition }) => [name, condition]),
        [['test', 'false']],
      );
    });

    describe('whose matrix depends on outputs', () => {
      const yaml = jobs({
        list: `{ outputs: { v: "\${{ steps.a.outputs.v }}" }, ${plain} }`,
        build: `{ needs: list, strategy: { matrix: { v: "\${{ fromJSON(needs.list.outputs.v) }}" } }, ${plain} }`,
        end: `{ needs: build, if: always(), ${plain} }`,
      });
      const needs = (result: string, outputs: object) => ({
        contexts: { needs: { list: { result, outputs } } },
        key: 'build',
      });

      it('are planned', async () => {
        const { jobs: nodes, planned } = await expand(yaml);
        assert.deepEqual(
          nodes.map(({ key }) => key),
          ['list', 'end'],
        );
        assert.deepEqual(planned, [{ key: 'build', needs: ['list'] }]);
      });

      it('are made when these are known', async () => {
        const { jobs: nodes } = await expand(yaml, needs('success', { v: '["a","b"]' }));
        assert.deepEqual(
          nodes.map(({ name }) => name),
          ['build (a)', 'build (b)'],
        );
      });

      it('are one that is skipped when the needed job did not succeed', async () => {
        const { jobs: nodes } = await expand(yaml, needs('failure', {}));
        assert.deepEqual(
          nodes.map(({ name, condition }) => [name, condition]),
          [['build', 'false']],
        );
      });

      it('are refused when the output is no matrix', async () => {
        assert.deepEqual(await problems(yaml, needs('success', { v: 'x' })), [
          [4, 51, 'Error parsing JSON when evaluating fromJson.'],
        ]);
        assert.deepEqual(await problems(yaml, needs('success', { v: '3' })), [[4, 50, '"v" must be a list.']]);
        const many = JSON.stringify(Array.from({ length: 257 }, (_, index) => index));
        assert.deepEqual(await problems(yaml, needs('success', { v: many })), [
          [4, 45, 'The matrix has more than 256 combinations.'],
        ]);
      });

      it('are refused for a key that the file does not have', async () => {
        assert.deepEqual(await problems(yaml, { key: 'other' }), [[null, null, 'The workflow has no job "other".']]);
      });
    });

    it('of which there are more than allowed are refused', async () => {
      const yaml = jobs({ a: `{ strategy: { matrix: { v: [1, 2, 3] } }, ${plain} }`, b: `{ ${plain} }` });
      assert.equal((await expand(yaml, { mostJobs: 4 })).jobs.length, 4);
      assert.deepEqual(await problems(yaml, { mostJobs: 3 }), [
        [2, 1, 'The workflow has more than the 3 jobs that are allowed in one run.'],
      ]);
    });

    it('see inputs with their types', async () => {
      const yaml = [
        'on: workflow_dispatch',
        `jobs: { a: { name: "\${{ inputs.dry == false }} \${{ inputs.n < 10 }} \${{ inputs.s }}", ${plain} } }`,
      ].join('\n');
      const named = async (inputs: object) => (await expand(yaml, { contexts: { inputs } })).jobs[0]?.name;
      assert.equal(await named({ dry: false, n: 7, s: 'x' }), 'true true x');
      assert.equal(await named({ dry: true, n: 17, s: '' }), 'false false ');
    });

    it('name their concurrency groups, and that of the run', async () => {
      const group = '"deploy-${{ github.ref_name }}"';
      const job =
        'strategy: { matrix: { v: [a, b] } }, concurrency: { group: "one-${{ matrix.v }}", cancel-in-progress: true }';
      const yaml = workflow(
        `concurrency: { group: ${group}, cancel-in-progress: "\${{ github.ref_name != 'main' }}" }`,
        `jobs: { a: { ${job}, ${plain} }, b: { concurrency: "\${{ vars.none }}", ${plain} } }`,
      );
      const { concurrency, jobs: made } = await expand(yaml, { contexts: { github: { ref_name: 'main' } } });
      assert.deepEqual(concurrency, { group: 'deploy-main', cancelInProgress: false });
      assert.deepEqual(
        made.map((each) => each.concurrency),
        [{ group: 'one-a', cancelInProgress: true }, { group: 'one-b', cancelInProgress: true }, undefined],
      );
    });

    it('have the title that the file gives the run', async () => {
      const titleOf = async (name: string, inputs: object = {}): Promise<string | undefined> => {
        const yaml = workflow(`run-name: ${name}`, `jobs: { a: { ${plain} } }`);
        return (await expand(yaml, { contexts: { github: { actor: 'ada' }, inputs } })).title;
      };
      assert.equal(
        await titleOf('"Deploy to ${{ inputs.target }} by @${{ github.actor }}"', { target: 'eu' }),
        'Deploy to eu by @ada',
      );
      assert.equal(await titleOf('"${{ inputs.none }}"'), undefined);
      assert.equal(await titleOf('"a\\u202e b\\n\\tc"'), 'a b c');
      assert.equal((await titleOf(`"${'x'.repeat(400)}"`))?.length, 300);
      assert.equal((await expand(jobs({ a: `{ ${plain} }` }))).title, undefined);
    });

    it('are planned when their group needs outputs', async () => {
      const yaml = jobs({ a: `{ ${plain} }`, b: `{ needs: a, concurrency: "\${{ needs.a.outputs.x }}", ${plain} }` });
      assert.deepEqual((await expand(yaml)).planned, [{ key: 'b', needs: ['a'] }]);
    });
  });

  describe('what is not supported is refused by name and place', () => {
    const refused = async (...lines: readonly string[]) =>
      problems(workflow('jobs:', '  a:', ...lines.map((line) => `    ${line}`)));

    it('secrets, in every expression', async () => {
      assert.deepEqual(
        await refused(
          'runs-on: linux',
          'env:',
          '  KEY: x-${{ secrets.KEY }}',
          'steps:',
          '  - run: |',
          '      echo',
          "      echo ${{ format('{0}', secrets.TOKEN) }} ${{ github.sha }} ${{ toJSON(secrets) }}",
        ),
        [
          [6, 14, 'Secrets are not supported yet: "secrets.KEY".'],
          [10, 16, `Secrets are not supported yet: "format('{0}', secrets.TOKEN)".`],
          [10, 70, 'Secrets are not supported yet: "toJSON(secrets)".'],
        ],
      );
    });

    it('text that only looks like a secret is none', async () => {
      const { jobs: nodes } = await expand(job("name: ${{ 'secrets.A' }}", 'env: { A: secrets.B }'));
      assert.equal(nodes[0]?.name, 'secrets.A');
    });

    it('reusable workflows', async () => {
      assert.deepEqual(await refused('uses: ./.github/workflows/b.yml'), [
        [4, 5, 'Reusable workflows are not supported yet: job "a".'],
      ]);
    });

    it('actions, other than the built-in ones', async () => {
      const uses = async (action: string) => refused('runs-on: linux', `steps: [{ uses: "${action}" }]`);
      for (const action of [
        'actions/setup-node@v4',
        './local',
        'docker://alpine',
        'actions/checkout/sub@v4',
        'actions/cache@v4',
      ])
        assert.deepEqual(await uses(action), [
          [
            5,
            21,
            `The action "${action}" in job "a" is not supported yet: only actions/checkout, actions/upload-artifact, actions/download-artifact are.`,
          ],
        ]);
    });

    it('services, containers and environments', async () => {
      const steps = ['runs-on: linux', 'steps: [{ run: make }]'];
      assert.deepEqual(
        await refused('container: node:20', 'services: { db: { image: pg } }', 'environment: production', ...steps),
        [
          [4, 5, 'Jobs in a container ("container") are not supported yet: job "a".'],
          [5, 5, 'Service containers ("services") are not supported yet: job "a".'],
          [6, 5, 'Environments ("environment") are not supported yet: job "a".'],
        ],
      );
    });
  });

  describe('faults of a workflow file are found at their place', () => {
    const faults: readonly (readonly [
      name: string,
      yaml: string,
      expected: readonly (readonly [number | null, number | null, RegExp])[],
    ])[] = [
      ['a key that is unknown', job('bogus: 1'), [[5, 5, /Unexpected value 'bogus'/]]],
      ['a context that is not there', job('name: ${{ steps.a }}'), [[5, 11, /Unrecognized named-value: 'steps'/]]],
      ['a function that is unknown', job('if: nope()'), [[5, 9, /Unrecognized function: 'nope'/]]],
      ['an expression that does not end', job('name: a ${{ github.ref'), [[5, 11, /not closed/]]],
      ['a job without steps', 'on: push\njobs:\n  a:\n    runs-on: linux\n', [[4, 5, /no steps/]]],
      [
        'a job without labels',
        'on: push\njobs:\n  a:\n    steps: []\n',
        [[4, 5, /Required property is missing: runs-on/]],
      ],
      [
        'a label that is empty',
        job().replace('runs-on: linux', 'runs-on: "${{ github.none }}"'),
        [[4, 14, /must be 1 to 20 labels/]],
      ],
      ['a timeout that is none', job('timeout-minutes: "${{ github.ref }}"'), [[5, 22, /must be a number from/]]],
      ['a timeout that is too long', job('timeout-minutes: 60000'), [[5, 22, /to 50400/]]],
      ['an event that is unknown', job().replace('push', 'pushed'), [[1, 5, /Unexpected value 'pushed'/]]],
      ['no jobs', 'on: push\n', [[1, 1, /Required property is missing: jobs/]]],
    ];
    for (const [name, yaml, expected] of faults)
      it(name, async () => {
        const found = await problems(yaml);
        assert.deepEqual(
          found.map(([line, column]) => [line, column]),
          expected.map(([line, column]) => [line, column]),
          JSON.stringify(found),
        );
        for (const [index, [, , message]] of expected.entries()) assert.match(found[index]?.[2] ?? '', message);
      });

    it('needs that go around, or name no job', async () => {
      const cycle = await problems(
        jobs({ a: `{ ${plain} }`, b: `{ needs: c, ${plain} }`, c: `{ needs: b, ${plain} }` }),
      );
      assert.deepEqual(
        cycle.map(([line, column]) => [line, column]),
        [
          [4, 15],
          [5, 15],
        ],
      );
      assert(cycle.every(([, , message]) => message.includes('creates a cycle')));
      const [unknown] = await problems(jobs({ a: `{ ${plain} }`, b: `{ needs: [a, x], ${plain} }` }));
      assert.deepEqual(unknown, [4, 19, "Job 'b' depends on unknown job 'x'."]);
      const [all] = await problems(jobs({ a: `{ needs: a, ${plain} }` }));
      assert.match(all?.[2] ?? '', /at least one job with no dependencies/);
    });

    it('all of them at once, in the order of the text', async () => {
      const found = await problems(
        jobs({ a: `{ services: { x: y }, ${plain} }`, b: `{ name: "\${{ x }}", ${plain} }`, c: `{ uses: z }` }),
      );
      assert.deepEqual(
        found.map(([line]) => line),
        [3, 4, 5],
      );
    });
  });
});
