/** Values that steps mask, in everything that a runner sends. */
import assert from 'node:assert/strict';
import { needs } from '../../../tests/support/runner/prerequisites';
import { inRunner, type Stage, statusesOf } from './support/fixture';
import { expression } from './support/jobs';

const secret = 'a/b+c=d "e" & \'f\' <g> \\h é';
/** Written by programs of the sandbox, so that no script has it. */
const writeSecret = `printf %s ${Buffer.from(secret).toString('base64')} | base64 -d`;

const python = (...lines: readonly string[]) => ({ shell: 'python', run: lines.join('\n') });

/** Everything that left the runner, but for the token. */
const sent = ({ plane, messages }: Stage): string =>
  [
    plane.log(),
    ...messages,
    ...plane.calls.filter(({ path }) => !path.endsWith('/logs')).map(({ body }) => JSON.stringify(body)),
    ...plane.messages.map((message) => JSON.stringify(message)),
  ].join('\n');

describe('secrets of a job', function () {
  this.timeout(30_000);
  needs('isolation', 'python', 'git', 'tar');

  it('are hidden however programs print them', () =>
    inRunner(async (stage) => {
      const { plane, perform } = stage;
      const report = await perform({
        steps: [
          { run: `${writeSecret} > ../secret; echo "::ADD-MASK::$(cat ../secret)"` },
          python(
            'import base64, html, json, shlex, urllib.parse as u',
            's = open("../secret").read()',
            'for safe in ["", "/", "/:", "/+=&\'\\"", "~()*!.\'"]: print("begin", u.quote(s, safe=safe), u.quote(s, safe=safe).lower())',
            'print("begin", u.quote_plus(s), u.urlencode({"v": s})[2:], json.dumps(s), json.dumps(s, ensure_ascii=False), html.escape(s), shlex.quote(s), repr(s))',
            'for before in ["", "x", "xy"]: print("begin", base64.b64encode((before + s).encode()).decode(), base64.urlsafe_b64encode((before + s).encode()).decode().rstrip("="))',
            'print("begin", s.encode().hex(), s.encode().hex().upper(), s.replace("\'", "\'\'"), "".join(f"&#{ord(c)};" for c in s))',
          ),
          {
            run: 'set +e; s="$(cat ../secret)"; set -x; true "$s"; set +x; printf "%q\n" "$s"; printf %s "$s" | od -An -c >/dev/null; printf %s "$s" >&2',
          },
        ],
      });
      assert.equal(report.result, 'success', plane.log());
      const log = plane.log();
      const masked = log.slice(log.lastIndexOf('begin', log.indexOf('begin ***') + 1));
      for (const part of ['a/b', 'a%2', 'YS9', 'L2I', 'h é', '\\u00e9', '%C3%A9', '612f', 'quot', '#39', '\\h'])
        assert.ok(!masked.toLowerCase().includes(part.toLowerCase()), `${part} in ${masked}`);
      assert.ok(!sent(stage).includes(secret));
    }));

  it('are hidden in names, annotations, summaries, outputs and reports', () =>
    inRunner(async (stage) => {
      const { plane, perform } = stage;
      const value = 'hunter2-secret';
      const report = await perform({
        outputs: { leaked: expression('steps.make.outputs.secret'), encoded: expression('steps.make.outputs.encoded') },
        steps: [
          {
            id: 'make',
            run: `s=$(printf %s ${Buffer.from(value).toString('base64')} | base64 -d); echo "::error title=early::about $s"; echo "secret=$s" >> "$GITHUB_OUTPUT"; echo "encoded=$(printf %s "$s" | base64)" >> "$GITHUB_OUTPUT"; echo "early $s" >> "$GITHUB_STEP_SUMMARY"`,
          },
          { run: `echo "::add-mask::${expression('steps.make.outputs.secret')}"` },
          { name: `uses ${expression('steps.make.outputs.secret')}`, run: 'true' },
          {
            run: `s=$(printf %s ${Buffer.from(value).toString('base64')} | base64 -d); echo "::warning file=$s.ts,title=in $s::\${s}"; echo "# $s" >> "$GITHUB_STEP_SUMMARY"`,
          },
          {
            run: `printf %s ${Buffer.from(value).toString('base64')} | base64 -d >> "$GITHUB_ENV"`,
            continueOnError: true,
          },
          { run: 'true', workingDirectory: expression('steps.make.outputs.secret'), continueOnError: true },
          {
            uses: 'actions/upload-artifact',
            with: { name: expression('steps.make.outputs.secret'), path: '.' },
            continueOnError: true,
          },
          { uses: 'actions/checkout', with: { ref: expression('steps.make.outputs.secret') }, continueOnError: true },
          {
            run: `echo ${expression('fromJSON(steps.make.outputs.secret)')} ${expression('format(steps.make.outputs.secret)')}`,
            continueOnError: true,
          },
        ],
      });
      assert.equal(report.result, 'success', plane.log());
      assert.deepEqual(report.outputs, {});
      assert.match(plane.log(), /The name of the artifact has a secret/);
      assert.ok(!plane.calls.some(({ path }) => path.endsWith('/artifacts')));
      assert.deepEqual(
        report.annotations.slice(0, 2).map(({ title, file, message }) => [title, file, message]),
        [
          ['early', null, 'about ***'],
          ['in ***', '***.ts', '***'],
        ],
      );
      assert.match(report.summary ?? '', /^early \*\*\*[\s\S]*# \*\*\*/);
      // Only what was printed before the mask has it.
      assert.equal(sent(stage).split(value).length - 1, plane.log().split('##[error]about hunter2-secret').length - 1);
    }));

  it('are not shown by the line that names them, whatever it looks like', () =>
    inRunner(async (stage) => {
      const { plane, perform } = stage;
      const report = await perform({
        steps: [
          python(
            'import sys, time',
            'def out(text): sys.stdout.write(text); sys.stdout.flush()',
            's = "".join(map(chr, [104, 117, 110, 116, 101, 114, 50]))',
            'out(f"  ::add-mask::{s}-one\\n{s}-one\\n")',
            'out("::Add-Ma"); time.sleep(0.3); out("sk::"); time.sleep(0.3); out(s + "-two"); time.sleep(0.3); out("\\r\\n" + s + "-"); time.sleep(0.3); out("two\\n")',
            'out(f"{s}-three ::add-mask::is text\\n::add-mask::{s}-line one%0A{s}-line two%0Aab%25c\\n{s}-line one\\n{s}-line two\\nab%c\\n")',
            'out(f"::add-mask::{s}%41raw\\n{s}%41raw {s}%2541raw\\n")',
            'out(f"last {s}-four\\n::add-mask::{s}-four\\n::add-mask::ab\\n")',
            'out(f"::add-mask::{s}-end")',
          ),
        ],
      });
      assert.equal(report.result, 'success', plane.log());
      const output = plane.log().slice(plane.log().indexOf('##[endgroup]\n') + '##[endgroup]\n'.length);
      assert.equal(
        output,
        '***\n***\nhunter2-three ::add-mask::is text\n***\n*** ***\nlast ***\n##[warning]A value of less than 3 characters is not masked.\n',
      );
    }));

  it('that cannot be masked are not shown, and fail their step', () =>
    inRunner(async (stage) => {
      const { plane, perform } = stage;
      const large = (command: string) =>
        python(
          `s = "sec" + "ret-" * 20000`,
          `print("${command}" + s)`,
          'print("then " + s)',
          'print("::error title=T::" + s[:100])',
        );
      const report = await perform({
        outputs: { leaked: expression('steps.large.outputs.s') },
        steps: [
          { id: 'large', ...large('::add-mask::') },
          {
            run: `echo "later ${expression('steps.large.outputs.s')}"; echo "::notice::later"; echo later >> "$GITHUB_STEP_SUMMARY"`,
            if: 'always()',
          },
        ],
      });
      assert.deepEqual(statusesOf(report), ['failure', 'success']);
      assert.match(
        plane.log(),
        /##\[error\]A value to be masked is longer than 65536 characters\. What programs print is left out/,
      );
      assert.doesNotMatch(plane.log().slice(plane.log().indexOf('##[error]')), /ret-|later/);
      assert.ok(!JSON.stringify([report.annotations, report.summary, report.outputs]).includes('later'));
      assert.ok(!sent(stage).includes('ret-ret-'));
    }));

  it('that come in a line without end are not shown, and fail their step', () =>
    inRunner(async (stage) => {
      const { plane, perform } = stage;
      const report = await perform({
        steps: [
          python(
            'import sys',
            'sys.stdout.write("::add-mask::")',
            'for i in range(3000): sys.stdout.write("hunter2-" * 100)',
            'print()',
            'print("then hunter2-")',
          ),
        ],
      });
      assert.equal(report.result, 'failure');
      assert.match(plane.log(), /##\[error\]A line with add-mask is too long/);
      assert.ok(!plane.log().slice(plane.log().indexOf('##[endgroup]')).includes('hunter2-'));
      assert.ok(report.annotations.some(({ message }) => String(message).includes('add-mask is too long')));
    }));

  it('that are too many fail the step, and are not shown', () =>
    inRunner(async (stage) => {
      const { plane, perform } = stage;
      const report = await perform({
        steps: [
          python('for i in range(1100): print(f"::add-mask::hunter{i}-secret")', 'print(f"then hunter{1099}-secret")'),
        ],
      });
      assert.equal(report.result, 'failure');
      assert.match(plane.log(), /more values to be masked than 1000/);
      assert.ok(!sent(stage).includes('hunter1099-secret'));
    }));
});
