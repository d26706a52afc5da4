/** Programs as operators start them, with the environment of a test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { scriptArguments } from '../../support/runner/compiled';
import { eventually } from '../../support/waiting/eventually';

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export const operatorPrograms = (env: () => Readonly<Record<string, string>>) => {
  const start = (script: string, args: readonly string[] = []): ChildProcess =>
    spawn(process.execPath, [...scriptArguments(script), ...args], {
      env: { ...process.env, ...env() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const run = (script: string, ...args: readonly string[]): Promise<Ended> =>
    new Promise((resolve) => {
      const child = start(script, args);
      let output = '';
      for (const stdio of [child.stdout, child.stderr])
        stdio?.on('data', (text) => {
          output += String(text);
        });
      child.once('close', (code) => resolve({ code, output }));
    });
  return { start, run };
};

/** Starting takes its time on a busy machine; the test's own limit ends the waiting. */
export const untilAnswers = async (health: string): Promise<void> => {
  for (;;) {
    const answered = await eventually(() => fetch(health)).then(
      () => true,
      () => false,
    );
    if (answered) return;
  }
};

/** The health detail of one part of a service. */
export const detailAt = async (health: string, part: string): Promise<string> => {
  const answer = (await (await fetch(health)).json()) as { parts: Record<string, { detail: string }> };
  return answer.parts[part]?.detail ?? '';
};
