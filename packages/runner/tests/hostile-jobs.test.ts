/** Jobs that try to end the runner which all organizations share: each fails with a reason, and the next job runs. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { needs } from '../../../tests/support/runner/prerequisites';
import { type ControlPlane, type Json, type Report, type SentChunk, textOf } from './support/control-plane';
import { statusesOf } from './support/fixture';
import { assignmentOf, expression, type JobInput } from './support/jobs';
import { inProgram, type StartedProgram } from './support/program';

interface Performed {
  readonly report: Report;
  readonly log: string;
}

/** Of the lease with that epoch. */
const callsOf = ({ calls }: ControlPlane, epoch: number, path: string): readonly Json[] =>
  calls.filter((call) => call.path.endsWith(path) && call.body.epoch === epoch).map(({ body }) => body);

const performer = ({ plane, program, errors }: StartedProgram) => {
  let epoch = 0;
  return async (job: JobInput): Promise<Performed> => {
    epoch += 1;
    plane.push(assignmentOf({ ...job, epoch, leaseSeconds: 60 }));
    const completed = plane.until(() => callsOf(plane, epoch, '/complete').length > 0);
    await Promise.race([completed, once(program, 'exit')]);
    assert.equal(program.exitCode ?? program.signalCode, null, errors().slice(-2_000));
    const chunks = callsOf(plane, epoch, '/logs').flatMap(({ chunks: sent }) => sent as readonly SentChunk[]);
    const unique = new Map(chunks.map((chunk) => [chunk.chunkOffset, textOf(chunk)]));
    const log = [...unique].sort(([one], [other]) => one - other).map(([, text]) => text);
    return { report: callsOf(plane, epoch, '/complete')[0] as unknown as Report, log: log.join('') };
  };
};

/** 298 characters that make 134 million. */
const bomb = `${"format('{0}{0}{0}{0}{0}{0}{0}{0}',".repeat(8)}'xxxxxxxx'${')'.repeat(8)}`;
const bombs = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`BOMB_${index}`, expression(bomb)]));

/** 200,000 characters: more than the kernel takes as an argument. */
const longText = expression(`format('${'{0}'.repeat(50)}', format('${'{0}'.repeat(100)}', github.sha))`);

/** Python, as text of a step. */
const python = (...lines: readonly string[]) => ({ shell: 'python', run: lines.join('\n') });

describe('a runner with a small heap', function () {
  this.timeout(120_000);
  needs('bash', 'python');

  const heapMegabytes = 128;

  it('goes on after a job whose variables, inputs, outputs and conditions grow without bound', () =>
    inProgram(
      async (started) => {
        const perform = performer(started);
        const ofJob = await perform({ env: bombs, steps: [{ run: 'echo never' }] });
        assert.deepEqual([ofJob.report.result, ofJob.report.reason], ['failure', 'expression']);
        assert.match(ofJob.log, /The variable BOMB_0 of "env" cannot be evaluated: The text would be longer than/);
        const next = await perform({ steps: [{ run: 'echo of another organization' }] });
        assert.equal(next.report.result, 'success');
        assert.match(next.log, /^of another organization$/m);
        const ofSteps = await perform({
          outputs: bombs,
          steps: [
            { env: bombs, run: 'echo never', continueOnError: true },
            { run: `echo ${expression(bomb)}`, continueOnError: true },
            { run: 'true', shell: expression(bomb), continueOnError: true },
            { run: 'true', workingDirectory: expression(bomb), continueOnError: true },
            { uses: 'actions/upload-artifact', with: { path: expression(bomb) }, continueOnError: true },
            { run: 'true', name: expression(bomb) },
            { run: 'true', if: bomb },
            { run: 'true', timeoutMinutes: expression(bomb), if: 'always()' },
            { run: 'true', continueOnError: expression(bomb), if: 'always()' },
          ],
        });
        for (const field of [
          'The variable BOMB_0 of "env"',
          '"run"',
          '"shell"',
          '"working-directory"',
          'The input path of "with"',
          '"if"',
          '"timeout-minutes"',
          '"continue-on-error"',
          'The output BOMB_0',
        ])
          assert.ok(ofSteps.log.includes(`${field} cannot be evaluated: The text would be longer than`), field);
      },
      { heapMegabytes },
    ));

  it('goes on after steps whose outputs, variables and paths never end', () =>
    inProgram(
      async (started) => {
        const perform = performer(started);
        const large = (file: string, lines: string): object =>
          python('import os', `open(os.environ["${file}"], "w").write(${lines})`);
        const outputs = Array.from({ length: 9 }, () => ({
          ...large('GITHUB_OUTPUT', '"a=" + "x" * 1000000'),
          continueOnError: true,
        }));
        const { report, log } = await perform({
          steps: [
            ...outputs,
            {
              ...python('for i in range(20000): print(f"::set-output name=a{i}::" + "x" * 8000)'),
              continueOnError: true,
            },
            { ...large('GITHUB_ENV', '"A=" + "x" * 600000'), continueOnError: true },
            { ...large('GITHUB_ENV', '"B=" + "x" * 600000'), env: { A: '' }, continueOnError: true },
            {
              ...large('GITHUB_PATH', '"\\n".join("/" + "x" * 1000 + str(i) for i in range(1000))'),
              env: { A: '' },
              continueOnError: true,
            },
            { env: { A: '' }, run: 'echo goes on' },
          ],
        });
        assert.match(log, /GITHUB_OUTPUT is too large\. The outputs of the job's steps would be longer than 8388608/);
        assert.match(log, /##\[error\]The outputs of the job's steps would be longer than 8388608 characters together/);
        assert.match(log, /GITHUB_ENV is not usable\. The variable A is longer than 98304 bytes/);
        assert.match(log, /GITHUB_PATH is too large\. The search path of the job would be longer than 98304/);
        assert.match(log, /^goes on$/m);
        assert.equal(report.result, 'success');
        assert.equal(statusesOf(report).length, 14);
      },
      { heapMegabytes },
    ));

  it('goes on after lines that take long to read, and arguments that no program takes', () =>
    inProgram(
      async (started) => {
        const perform = performer(started);
        const { report, log } = await perform({
          steps: [
            python('for i in range(40): print("::error" + " " * 65000 + ":")', 'print("x" * 20000000)'),
            { uses: 'actions/checkout', with: { ref: longText }, continueOnError: true },
            { run: 'echo "is \u0000 refused"', continueOnError: true },
            { run: 'true', workingDirectory: 'a\u0000b', continueOnError: true },
            { run: 'echo goes on' },
          ],
        });
        assert.match(log, /^goes on$/m);
        assert.equal(report.result, 'success');
      },
      { heapMegabytes },
    ));

  it('goes on after an artifact that its disk has no room for', () =>
    inProgram(
      async (started) => {
        const perform = performer(started);
        const { report, log } = await perform({
          steps: [
            python('import os', 'for i in range(8): open(f"{i}.bin", "wb").write(os.urandom(700000))'),
            { uses: 'actions/upload-artifact', with: { path: '*.bin' }, continueOnError: true },
            { run: 'echo goes on' },
          ],
        });
        assert.match(log, /##\[error\]The files could not be packed on this machine \(EFBIG\)/);
        assert.match(log, /^goes on$/m);
        assert.equal(report.result, 'success');
      },
      { heapMegabytes, fileKibibytes: 1_024 },
    ));

  it('reports what the service can record, however much there is to report', () =>
    inProgram(
      async (started) => {
        const perform = performer(started);
        const { report } = await perform({
          outputs: { a: expression('steps.outputs.outputs.a') },
          steps: [
            {
              id: 'outputs',
              ...python('import os', 'open(os.environ["GITHUB_OUTPUT"], "w").write("a=" + "\\"" * 65000)'),
            },
            python('for i in range(60): print("::error title=" + "\\x01" * 300 + "::" + "\\x01" * 4000)'),
            python('import os', 'open(os.environ["GITHUB_STEP_SUMMARY"], "w").write("\\x01" * 1000000)'),
            ...Array.from({ length: 300 }, () => ({ name: '\u0001'.repeat(300), if: 'false' })),
          ],
        });
        const { outputs, annotations, summary, steps } = report;
        assert.ok(Buffer.byteLength(JSON.stringify({ outputs, annotations, summary, steps })) < 500_000);
        assert.equal(outputs.a?.length, 65_000);
        assert.ok(annotations.length > 2);
        assert.match(summary ?? '', /The rest of the summary is left out/);
      },
      { heapMegabytes },
    ));

  it('fails a job whose outputs are more than the service can record', () =>
    inProgram(
      async (started) => {
        const outputs = Object.fromEntries(
          Array.from({ length: 10 }, (_, index) => [`o${index}`, expression('steps.a.outputs.a')]),
        );
        const { report, log } = await performer(started)({
          outputs,
          steps: [
            { id: 'a', ...python('import os', 'open(os.environ["GITHUB_OUTPUT"], "w").write("a=" + "x" * 60000)') },
          ],
        });
        assert.deepEqual([report.result, report.reason], ['failure', 'outputs']);
        assert.match(log, /The outputs up to o3 are larger than 196608 bytes together/);
      },
      { heapMegabytes },
    ));
});
