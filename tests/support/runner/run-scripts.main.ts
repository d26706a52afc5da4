/** `node … run-scripts.main.ts SCRIPT…`: scripts of package.json, two at a time, each with its output in one piece; fails when one fails. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Answers its exit code, once all that it printed stands there. */
const run = (script: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => output.push(bytes));
    child.once('error', reject);
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(output));
      resolve(code ?? 1);
    });
  });

/** One after the other, from what is left for all lanes. */
const lane = async (left: string[], failed: string[]): Promise<void> => {
  for (let script = left.shift(); script !== undefined; script = left.shift())
    if ((await run(script)) !== 0) failed.push(script);
};

const main = async (scripts: readonly string[]): Promise<void> => {
  const left = [...scripts];
  const failed: string[] = [];
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, () => lane(left, failed)));
  if (failed.length === 0) return;
  process.stderr.write(`Failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
};

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
