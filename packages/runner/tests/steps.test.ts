/** Steps of a job in a real sandbox, as the service gets to know of them. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { needs } from '../../../tests/support/runner/prerequisites';
import { textOf } from './support/control-plane';
import { inRunner, statusesOf } from './support/fixture';
import { expression, jobToken } from './support/jobs';

describe('a job in a sandbox', function () {
  this.timeout(60_000);
  needs('isolation', 'python');

  it('runs its steps in bash, sh, python and any command, and reports outputs, annotations and a summary', () =>
    inRunner(async ({ plane, perform }) => {
      const report = await perform({
        env: { WHO: 'world', REPO: `${expression('github.repository')}` },
        outputs: {
          greeting: `${expression('steps.greet.outputs.text')}`,
          lines: `${expression('steps.python.outputs.lines')}`,
        },
        steps: [
          {
            id: 'greet',
            run: 'echo "text=hello $WHO from $REPO" >> "$GITHUB_OUTPUT"\necho "LATER=yes" >> "$GITHUB_ENV"\nmkdir bin; printf "#!/bin/sh\\necho tool runs\\n" > bin/tool; chmod +x bin/tool; echo "$PWD/bin" >> "$GITHUB_PATH"',
          },
          { shell: 'sh', run: 'echo "later $LATER"; tool' },
          {
            id: 'python',
            shell: 'python',
            run: 'import os\nopen(os.environ["GITHUB_OUTPUT"], "a").write("lines<<END\\none\\ntwo\\nEND\\n")\nprint("::warning file=a.py,line=3,title=Old::use%0Aanother")',
          },
          {
            shell: 'perl {0}',
            run: 'print "from perl\\n";',
            if: "steps.greet.outputs.text == 'hello world from acme/site'",
          },
          {
            run: 'echo "# Done" >> "$GITHUB_STEP_SUMMARY"; echo "event $(cat "$GITHUB_EVENT_PATH") in $GITHUB_WORKSPACE"',
          },
        ],
      });
      assert.deepEqual(statusesOf(report), ['success', 'success', 'success', 'success', 'success']);
      assert.equal(report.result, 'success');
      assert.deepEqual(report.outputs, { greeting: 'hello world from acme/site', lines: 'one\ntwo' });
      assert.deepEqual(report.annotations, [
        { level: 'warning', message: 'use\nanother', title: 'Old', file: 'a.py', line: 3 },
      ]);
      assert.equal(report.summary, '# Done\n');
      for (const line of ['later yes', 'tool runs', 'from perl', 'event {"number":7} in /work/workspace'])
        assert.match(plane.log(), new RegExp(`^${line}$`, 'm'));
    }));

  it('gives a step its own variables in its condition and its name, and lets a workflow set CI and HOME', () =>
    inRunner(async ({ plane, perform }) => {
      const report = await perform({
        env: { CI: 'false', HOME: '/work/temporary' },
        steps: [
          {
            name: `For ${expression('env.WHO')}`,
            env: { WHO: 'us' },
            if: "env.WHO == 'us'",
            run: 'echo "CI=$CI HOME=$HOME"',
          },
          { env: { WHO: 'them' }, if: "env.WHO == 'us'", run: 'echo never' },
          {
            env: { CI: 'maybe' },
            run: 'echo "CI=$CI"; echo "tools in $RUNNER_TOOL_CACHE"; test -d "$RUNNER_TOOL_CACHE"',
          },
        ],
      });
      assert.deepEqual(statusesOf(report), ['success', 'skipped', 'success']);
      assert.equal(report.steps[0]?.name, 'For us');
      for (const line of ['CI=false HOME=/work/temporary', 'CI=maybe', 'tools in /work/tools'])
        assert.match(plane.log(), new RegExp(`^${line}$`, 'm'));
    }));

  it('takes of GITHUB_ENV what steps may set, and names the rest', () =>
    inRunner(async ({ plane, perform }) => {
      const report = await perform({
        steps: [
          { run: 'printf "NODE_OPTIONS=--inspect\\nGITHUB_SHA=other\\nMINE=yes\\n" >> "$GITHUB_ENV"' },
          { run: 'echo "mine=$MINE options=$NODE_OPTIONS"' },
        ],
      });
      assert.equal(report.result, 'success');
      assert.match(plane.log(), /^mine=yes options=$/m);
      assert.deepEqual(
        report.annotations.map(({ level, message }) => [level, String(message).split(';')[0]]),
        [
          ['warning', 'GITHUB_ENV may not set NODE_OPTIONS'],
          ['warning', 'GITHUB_ENV may not set GITHUB_SHA'],
        ],
      );
    }));

  it('refuses commands that change later steps by what is printed, and names those without effect', () =>
    inRunner(async ({ plane, perform }) => {
      const report = await perform({
        steps: [
          { run: 'echo "::set-env name=MINE::yes"', continueOnError: true },
          { run: 'echo "::add-path::/tmp"', continueOnError: true },
          { run: 'echo "::add-matcher::matcher.json"; echo "mine=$MINE path=$PATH"' },
        ],
      });
      assert.equal(report.result, 'success');
      assert.deepEqual(
        report.annotations.map(({ message }) => message),
        [
          'The command set-env is disabled: write to the file GITHUB_ENV instead.',
          'The command add-path is disabled: write to the file GITHUB_PATH instead.',
        ],
      );
      assert.match(plane.log(), /^##\[warning\]The command add-matcher has no effect/m);
      assert.match(plane.log(), /^mine= path=(?!\/tmp)/m);
    }));

  it('names a property that no context has, once in its log', () =>
    inRunner(async ({ plane, perform }) => {
      const unknown = `${expression('github.actr')}${expression("runner['os ']")}`;
      await perform({
        steps: [
          { run: `echo "[${unknown}${expression('env.NONE')}${expression('github.event.none')}]"` },
          { run: `echo "[${unknown}]"` },
        ],
      });
      const warnings = plane.log().match(/^##\[warning\].*$/gm);
      assert.deepEqual(warnings, [
        '##[warning]There is no github.actr: it is empty.',
        '##[warning]There is no runner.os : it is empty.',
      ]);
    }));

  it('ends at the first command that fails, and skips what needs success', () =>
    inRunner(async ({ plane, perform }) => {
      const report = await perform({
        steps: [
          { id: 'tolerated', run: 'exit 4', continueOnError: true },
          {
            run: `echo "${expression('steps.tolerated.outcome')}/${expression('steps.tolerated.conclusion')}"; false; echo never`,
          },
          { run: 'echo skipped' },
          { run: `echo failed "${expression('job.status')}"`, if: 'failure()' },
          { run: 'echo cleaned', if: 'always()' },
          { run: 'echo canceled', if: 'cancelled()' },
        ],
      });
      assert.deepEqual(statusesOf(report), ['success', 'failure', 'skipped', 'success', 'success', 'skipped']);
      assert.deepEqual(
        report.steps.map(({ exitCode }) => exitCode),
        [4, 1, null, 0, 0, null],
      );
      assert.equal(report.result, 'failure');
      assert.equal(report.reason, 'exit_code');
      assert.match(plane.log(), /^failure\/success$/m);
      assert.match(plane.log(), /^failed failure$/m);
      assert.doesNotMatch(plane.log(), /^(never|skipped|canceled)$/m);
    }));

  it('masks the token and what steps ask to be masked, however it is encoded', () =>
    inRunner(async ({ plane, perform, messages }) => {
      const report = await perform({
        outputs: { leaked: `${expression('github.token')}` },
        steps: [
          {
            run: `echo "token ${expression('github.token')} $(printf x:%s "${expression('github.token')}" | base64 -w0)"`,
          },
          {
            run: 'echo "::add-mask::hunter2-secret"; echo "it is hunter2-secret"; printf hunter2-; sleep 0.3; echo secret; echo "::error::about hunter2-secret"; echo "hunter2-secret" >> "$GITHUB_STEP_SUMMARY"',
          },
        ],
      });
      assert.equal(report.result, 'success');
      assert.deepEqual(report.outputs, {});
      const everything = `${plane.log()}${JSON.stringify(report)}${messages.join('')}`;
      // The runner shows the script as it was written, before the mask.
      const afterMask = plane.log().slice(plane.log().lastIndexOf('##[endgroup]'));
      assert.doesNotMatch(`${afterMask}${JSON.stringify(report.annotations)}${report.summary}`, /hunter2-secret/);
      assert.ok(!everything.includes(jobToken));
      assert.ok(!everything.includes(Buffer.from(`x:${jobToken}`).toString('base64').slice(4, -4)));
    }));

  it('performs no commands between stop-commands and its token', () =>
    inRunner(async ({ plane, perform }) => {
      const report = await perform({
        steps: [{ run: 'echo "::stop-commands::halt"; echo "::error::text"; echo "::halt::"; echo "::error::real"' }],
      });
      assert.deepEqual(
        report.annotations.map(({ message }) => message),
        ['real'],
      );
      assert.match(plane.log(), /^::error::text$/m);
    }));

  it('ends a step that is out of its time, with what ignores signals', () =>
    inRunner(async ({ perform }) => {
      const report = await perform({
        steps: [
          {
            run: 'trap "" INT TERM; (trap "" INT TERM HUP; setsid sleep 600) & sleep 600; sleep 600',
            timeoutMinutes: 0.005,
          },
          { run: 'true', if: 'always()' },
        ],
      });
      assert.deepEqual(statusesOf(report), ['timed_out', 'success']);
      assert.equal(report.reason, 'step_timed_out');
    }));

  it('ends a job that is canceled or out of its time, and runs what cleans up', () =>
    inRunner(async ({ plane, perform }) => {
      const performed = perform({
        steps: [
          { run: 'trap "echo interrupted; exit 130" INT; echo begun; while :; do sleep 0.05; done' },
          { run: `echo "cleaned as ${expression('job.status')}"`, if: 'cancelled()' },
          { run: 'echo never' },
        ],
      });
      await plane.until(() => /^begun$/m.test(plane.log()));
      plane.push({ type: 'cancel', jobId: plane.jobId, epoch: 1, kind: 'graceful' });
      plane.push({ type: 'cancel', jobId: plane.jobId, epoch: 1, kind: 'graceful' });
      const report = await performed;
      assert.deepEqual(statusesOf(report), ['canceled', 'success', 'skipped']);
      assert.equal(report.result, 'canceled');
      assert.match(plane.log(), /^interrupted$/m);
      assert.match(plane.log(), /^cleaned as cancelled$/m);
    }));

  it('ends all at once when it is forced', () =>
    inRunner(async ({ plane, perform }) => {
      const performed = perform({ steps: [{ run: 'echo begun; sleep 600' }, { run: 'echo never', if: 'always()' }] });
      await plane.until(() => /^begun$/m.test(plane.log()));
      plane.push({ type: 'cancel', jobId: plane.jobId, epoch: 1, kind: 'forced' });
      const report = await performed;
      assert.deepEqual(statusesOf(report), ['canceled', 'skipped']);
    }));

  it('sends a log of any bytes in chunks that join to its text', () =>
    inRunner(async ({ plane, perform }) => {
      const report = await perform({
        steps: [
          {
            shell: 'python',
            run: 'import sys\nout = sys.stdout.buffer\nout.write("é€😀".encode() * 60000 + b"\\n")\nout.write(b"bad \\xff\\xfe bytes\\n")\nout.write(b"x" * 1000000 + b"\\nlast")',
          },
        ],
      });
      assert.equal(report.result, 'success');
      const chunks = plane.chunks();
      assert.equal(report.logChunks, chunks.length);
      let end = 0;
      for (const [index, chunk] of chunks.entries()) {
        const bytes = Buffer.from(textOf(chunk));
        assert.deepEqual([chunk.chunkOffset, chunk.byteStart, chunk.byteEnd], [index, end, end + bytes.length]);
        assert.equal(chunk.checksum, `sha256:${createHash('sha256').update(bytes).digest('hex')}`);
        assert.ok(bytes.length <= 65_536);
        end += bytes.length;
      }
      assert.ok(
        plane.log().includes(`${'é€😀'.repeat(60_000)}\nbad \uFFFD\uFFFD bytes\n${'x'.repeat(1_000_000)}\nlast\n`),
      );
    }));

  it('keeps head and tail of a log that is too long, and says what is left out', () =>
    inRunner(
      async ({ plane, perform }) => {
        const report = await perform({ steps: [{ run: 'seq 1 20000' }] });
        assert.equal(report.result, 'success');
        const log = plane.log();
        assert.ok(Buffer.byteLength(log) <= 20_000);
        assert.match(log, /^1\n2\n3\n4$/m);
        assert.match(log, /\[\d+ bytes of the log are left out here\.\]/);
        assert.match(log, /^19999\n20000$/m);
      },
      { timing: { log: { logBytes: 20_000, chunkMilliseconds: 20, drainMilliseconds: 2_000 } } },
    ));

  it('sees no file of the machine, no process of it, and no network, its loopback included', () =>
    inRunner(async ({ plane, perform, directory }) => {
      const port = new URL(plane.url).port;
      const report = await perform({
        steps: [
          {
            shell: 'python',
            run: `import os, socket
for path in ["/etc/shadow", "/root", "/home", "/proc/1/root/etc/shadow", "${directory}", "/var", "/run"]:
  if os.path.exists(path): print("file", path)
for address in [("127.0.0.1", ${port}), ("1.1.1.1", 53), ("169.254.169.254", 80)]:
  try: socket.create_connection(address, 1); print("reached", address)
  except OSError: pass
print("processes", [p for p in os.listdir("/proc") if p.isdigit() and int(p) > 50])
print("mounted", os.system("mount -t tmpfs x /mnt 2>/dev/null"))
print("environment", [n for n in os.environ if n.startswith(("npm_", "NODE_", "SEPTET"))])`,
          },
        ],
      });
      assert.equal(report.result, 'success');
      assert.doesNotMatch(plane.log(), /^(file|reached)/m);
      assert.match(plane.log(), /^processes \[\]$/m);
      assert.match(plane.log(), /^environment \[\]$/m);
      assert.doesNotMatch(plane.log(), /^mounted 0$/m);
    }));

  it('reads no file of the machine through links in place of command files', () =>
    inRunner(async ({ plane, perform }) => {
      const report = await perform({
        steps: [
          { id: 'link', run: 'rm "$GITHUB_OUTPUT"; ln -s /etc/passwd "$GITHUB_OUTPUT"' },
          { run: 'rm "$GITHUB_STEP_SUMMARY"; mkfifo "$GITHUB_STEP_SUMMARY"', if: 'always()' },
        ],
      });
      assert.deepEqual(statusesOf(report), ['failure', 'failure']);
      assert.equal(report.summary, null);
      assert.match(plane.log(), /GITHUB_OUTPUT is not usable/);
      assert.match(plane.log(), /GITHUB_STEP_SUMMARY is not usable/);
    }));

  it('fails the step that sets a variable with which no program can be started, and goes on without it', () =>
    inRunner(async ({ plane, perform }) => {
      const report = await perform({
        steps: [
          { run: 'printf "GOOD=1\\nBAD=a\\0b\\n" >> "$GITHUB_ENV"', continueOnError: true },
          { run: 'echo "LONG=$(head -c 98304 /dev/zero | tr "\\0" x)" >> "$GITHUB_ENV"', continueOnError: true },
          { run: 'for i in $(seq 2100); do echo "MANY_$i=1"; done >> "$GITHUB_ENV"', continueOnError: true },
          { run: 'printf "/a\\0b\\n" >> "$GITHUB_PATH"', continueOnError: true },
          { run: 'true', env: { FIELD: 'a\u0000b' }, continueOnError: true },
          { run: 'true', workingDirectory: 'a\u0000b', continueOnError: true },
          { run: `echo ${expression("hashFiles(format('a{0}b', fromJSON('\"\\u0000\"')))")}`, continueOnError: true },
          { run: 'echo "goes on <$GOOD$BAD$LONG$MANY_1>"', if: 'always()' },
        ],
      });
      for (const message of [
        'The file GITHUB_ENV is not usable. The variable BAD has a NUL, which no program can be started with.',
        'The file GITHUB_ENV is not usable. The variable LONG is longer than 98304 bytes.',
        'The file GITHUB_ENV is not usable. The job would have more than 1500 variables from MANY_',
        'The file GITHUB_PATH is not usable. A line has a NUL.',
        'The variable FIELD of "env" has a NUL, which no program can be started with.',
        '"working-directory" has a NUL, which no program can be started with.',
        'hashFiles(ab): a pattern has a NUL, which no program can be started with.',
      ])
        assert.ok(plane.log().includes(`##[error]${message}`), `${message}\n${plane.log()}`);
      assert.match(plane.log(), /^goes on <>$/m);
      assert.deepEqual(statusesOf(report).slice(-2), ['failure', 'success']);
    }));

  it('fails a step with a faulty expression, shell or file, and says why', () =>
    inRunner(async ({ plane, perform }) => {
      const report = await perform({
        steps: [
          { run: `echo ${expression('unknown.name')}`, continueOnError: true },
          { run: 'true', shell: 'fish', continueOnError: true },
          { run: 'echo nonsense >> "$GITHUB_OUTPUT"', continueOnError: true },
          { run: 'true', workingDirectory: 'missing', continueOnError: true },
          { run: 'true', if: 'nonsense(' },
        ],
      });
      assert.deepEqual(statusesOf(report), ['success', 'success', 'success', 'success', 'failure']);
      assert.equal(report.annotations.length, 4);
      for (const reason of ['Unrecognized named-value', 'The shell fish is not known', 'neither name=value'])
        assert.match(plane.log(), new RegExp(reason));
    }));
});
