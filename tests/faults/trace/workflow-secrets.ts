/** A run of a workflow whose steps try to show secrets in everything that a runner sends, and all that is left of it. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { encodings } from '../../packages/runner/encodings';
import { eventually } from '../../support/waiting/eventually';
import { commitFiles, gitWorks } from '../../support/workflow/git-client';
import { startRunnerProgram } from '../../support/workflow/runner-program';
import type { Session } from '../system/harness/admin-session';
import { marker, type Secrets } from './secrets';

export interface WorkflowSecretsOptions {
  readonly session: Session;
  /** Of the gateway. */
  readonly url: string;
  /** Empty; for the checkout and the runner. */
  readonly directory: string;
}

export interface PerformedRun {
  readonly secrets: Secrets;
  /** The runner's output, and what the service answers about the run. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Secrets stand backwards in the file: it is stored, and shown in the log. */
const backwards = (text: string): string => [...text].reverse().join('');

const expression = (text: string): string => `$\{{ ${text} }}`;

const workflow = (secret: string, large: string, hidden: string): string => `name: Leaks
on: push
jobs:
  leak:
    runs-on: leaks
    outputs:
      plain: ${expression('steps.show.outputs.plain')}
      encoded: ${expression('steps.show.outputs.encoded')}
      harmless: known
    steps:
      - shell: python
        run: |
          import os
          s = """${backwards(secret)}"""[::-1]
          open("../secret", "w").write(s)
          os.makedirs("dist/.cache")
          open("dist/index.html", "w").write("page")
          for name in ["dist/.env", "dist/.cache/state"]: open(name, "w").write("${backwards(hidden)}"[::-1])
      - run: echo "::add-mask::$(cat ../secret)"
      - id: show
        shell: python
        run: |
          import base64, html, json, os, shlex, sys, urllib.parse as u
          s = open("../secret").read()
          shown = [s, u.quote(s), u.quote(s, safe=""), u.quote(s, safe="/+=").lower(), u.quote_plus(s), json.dumps(s), html.escape(s), shlex.quote(s), repr(s), s.encode().hex()]
          for before in ["", "x", "xy"]: shown.append(base64.b64encode((before + s).encode()).decode())
          for text in shown:
            print("begin", text)
            print("begin", text, file=sys.stderr)
            print("::error file=" + text + ",title=" + text + "::" + text)
          open(os.environ["GITHUB_STEP_SUMMARY"], "w").write("\\n".join(shown))
          open(os.environ["GITHUB_OUTPUT"], "w").write("plain=" + s + "\\nencoded=" + u.quote(s) + "\\n")
      - name: shows ${expression('steps.show.outputs.plain')}
        run: echo ${expression('steps.show.outputs.encoded')}
        working-directory: ${expression('steps.show.outputs.plain')}
        continue-on-error: true
      - run: echo "::add-mask::${expression("format('{0}', steps.show.outputs.plain)")}"
      - uses: actions/upload-artifact@v4
        with: { name: pages, path: dist }
      - uses: actions/upload-artifact@v4
        with: { name: "${expression('steps.show.outputs.plain')}", path: dist }
        continue-on-error: true
  large:
    runs-on: leaks
    steps:
      - shell: python
        run: |
          s = "${backwards(large)}"[::-1] * 3000
          print("before")
          print("::add-mask::" + s)
          print(s)
          print("::notice::" + s)
  later:
    needs: leak
    runs-on: leaks
    env: { PLAIN: "${expression('needs.leak.outputs.plain')}" }
    steps:
      - run: echo "later [$PLAIN] ${expression('needs.leak.outputs.harmless')}"
`;

interface RunAnswer {
  readonly runId: string;
  readonly status: string;
  readonly jobs: readonly { readonly jobId: string; readonly name: string; readonly status: string }[];
}

const bodyOf = async <Body>(session: Session, method: string, path: string, body?: object): Promise<Body> => {
  let found: Body | undefined;
  await eventually(async () => {
    const answered = await session.send(method, path, body === undefined ? {} : { body });
    assert.ok(answered !== undefined && answered.status < 300, `${method} ${path}: ${JSON.stringify(answered)}`);
    found = answered.body as Body;
  });
  return found as Body;
};

const textAt = async (session: Session, url: string, path: string): Promise<string> =>
  (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${session.token()}` } })).text();

export const performLeaks = async ({ session, url, directory }: WorkflowSecretsOptions): Promise<PerformedRun> => {
  const [secret, large, hidden] = [`a/b+c= "d" & 'e' <f> ${marker()}`, marker(), marker()];
  const repository = await bodyOf<{ id: string; clone_url: string }>(session, 'POST', '/v1/workflow/repositories', {
    name: 'leaks',
  });
  const { token } = await bodyOf<{ token: string }>(session, 'POST', '/v1/workflow/runner-tokens');
  const runner = await startRunnerProgram({
    url,
    token,
    directory: join(directory, 'runner'),
    name: 'leaks',
    labels: ['leaks'],
    env: { GATEWAY: url },
    preloads: [join(__dirname, 'gateway-preload.ts')],
  });
  try {
    const checkout = join(directory, 'checkout');
    mkdirSync(checkout);
    await gitWorks(checkout, 'init', '--quiet', '--initial-branch=main');
    await commitFiles(checkout, { '.github/workflows/leaks.yml': workflow(secret, large, hidden) });
    const address = new URL(new URL(repository.clone_url).pathname, url);
    Object.assign(address, { username: 'git', password: session.token() });
    await gitWorks(checkout, 'push', '--quiet', address.href, 'main');
    let run: RunAnswer | undefined;
    await eventually(async () => {
      const { items } = await bodyOf<{ items: readonly RunAnswer[] }>(
        session,
        'GET',
        `/repos/${repository.id}/actions/runs`,
      );
      assert.equal(items.length, 1);
      run = await bodyOf<RunAnswer>(session, 'GET', `/actions/runs/${items[0]?.runId}`);
      assert.ok(['success', 'failure'].includes(run.status), JSON.stringify(run));
    });
    const { runId, jobs } = run as RunAnswer;
    const texts = new Map<string, string>([['the runner', runner.lines().join('\n')]]);
    for (const path of [`/actions/runs/${runId}`, `/actions/runs/${runId}/jobs`, `/actions/runs/${runId}/artifacts`])
      texts.set(path, await textAt(session, url, path));
    for (const { jobId, name } of jobs) {
      texts.set(`log of ${name}`, await textAt(session, url, `/actions/jobs/${jobId}/logs?format=text`));
      texts.set(`chunks of ${name}`, await textAt(session, url, `/actions/jobs/${jobId}/logs`));
    }
    const logs = [...texts].filter(([name]) => name.startsWith('log of ')).join('\n');
    const statuses = jobs.map(({ name, status }) => `${name} ${status}`).sort();
    assert.deepEqual(statuses, ['large failure', 'later success', 'leak success'], logs);
    const secrets: Secrets = new Map();
    for (const [program, encode] of Object.entries(encodings))
      secrets.set(encode(secret), `a masked value, by ${program}`);
    secrets.set(large, 'a value that is too large').set(hidden, 'what is in a hidden file');
    return { secrets, texts };
  } finally {
    await runner.kill();
  }
};

const gzipHex = /1f8b08(?:[0-9a-f]{2})+/g;

const unpacked = (bytes: Buffer): string => {
  try {
    return gunzipSync(bytes).toString('latin1');
  } catch {
    return '';
  }
};

/** With what is compressed in rows, as hexadecimal, and in files. */
export const decompressed = (dumps: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const all = new Map(dumps);
  for (const [name, text] of dumps) {
    const rows = [...text.matchAll(gzipHex)].map(([hex]) => unpacked(Buffer.from(hex, 'hex')));
    const file = text.startsWith('\x1f\x8b\x08') ? [unpacked(Buffer.from(text, 'latin1'))] : [];
    const inside = [...rows, ...file].filter((each) => each !== '');
    // Stores hold UTF-8 bytes; as text again.
    if (inside.length > 0) all.set(`compressed in ${name}`, Buffer.from(inside.join('\n'), 'latin1').toString('utf8'));
  }
  return all;
};
