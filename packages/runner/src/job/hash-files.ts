/** `hashFiles` in expressions of a step: the files are the sandbox's, so programs in it hash them before the expressions are evaluated. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { StepContent } from '../../../../domain/workflow/protocol/job-content';
import { type Expressions, openBudget, type Scope } from '../../../workflow-expressions/src/index';
import type { JobSandbox } from '../sandbox/job-sandbox';
import { exitCodeOf, runProgram, type StopPauses } from './run-program';
import { startFault } from './step-environment';

/** As GitHub has it: the SHA-256 of the files' SHA-256, in the order of their names; nothing where no file matches. */
const script = `set -o pipefail
export LC_ALL=C
shopt -s globstar nullglob dotglob
IFS=
declare -A files=()
for pattern in "$@"; do
  case "$pattern" in
    --*) continue;;
    !*) for file in \${pattern#!}; do files["$file"]=0; done;;
    *) for file in $pattern; do if [ -f "$file" ]; then files["$file"]=1; fi; done;;
  esac
done
names=()
for file in "\${!files[@]}"; do if [ "\${files["$file"]}" = 1 ]; then names+=("$file"); fi; done
[ \${#names[@]} -gt 0 ] || exit 0
[ \${#names[@]} -le 100000 ] || exit 4
printf '%s\\0' "\${names[@]}" | sort -z | while IFS= read -r -d '' file; do
  sum=$(sha256sum < "$file") || exit 1
  printf "$(printf '%s' "\${sum%% *}" | sed 's/../\\\\x&/g')"
done | sha256sum`;

const longestMilliseconds = 120_000;
const mostHashes = 20;
const mostBytes = 200;

export interface HashDeps {
  readonly expressions: Expressions;
  readonly sandbox: JobSandbox;
  readonly workspace: string;
  readonly pauses: StopPauses;
  readonly signal: AbortSignal;
}

const hashOf = async (
  { sandbox, workspace, pauses, signal }: HashDeps,
  patterns: readonly string[],
): Promise<Either<string, string>> => {
  let output = '';
  const patternList = patterns.join(', ').replaceAll('\0', '').slice(0, 200);
  const fault = patterns.map(startFault).find((each) => each !== undefined);
  if (fault !== undefined) return left(`hashFiles(${patternList}): a pattern ${fault}.`);
  const inWorkspace = patterns.map((pattern) =>
    pattern.startsWith(`${workspace}/`) ? pattern.slice(workspace.length + 1) : pattern,
  );
  const ended = await runProgram({
    sandbox,
    request: {
      argv: ['bash', '-c', script, 'hash', ...inWorkspace],
      environment: { PATH: sandbox.searchPath },
      directory: workspace,
    },
    signal: AbortSignal.any([signal, AbortSignal.timeout(longestMilliseconds)]),
    pauses,
    output: async (stream, bytes) => {
      if (stream === 'stdout' && output.length < mostBytes) output += Buffer.from(bytes).toString('latin1');
    },
  });
  if (isLeft(ended)) return ended;
  if (exitCodeOf(ended.right) !== 0) return left(`hashFiles(${patternList}): the files cannot be hashed.`);
  return right(output.slice(0, 64).trim());
};

const textsOf = ({ condition, ...step }: StepContent): readonly string[] =>
  [
    condition === null || condition.includes('${{') ? (condition ?? '') : `\${{ ${condition} }}`,
    ...[step.name, step.run, step.shell, step.workingDirectory, step.timeoutMinutes, step.continueOnError],
    ...Object.values(step.with),
    ...Object.values(step.env),
  ].filter((text): text is string => typeof text === 'string' && /hashfiles/i.test(text));

/** The values of every `hashFiles` in the step, by their patterns as JSON. A pattern may itself be an expression. */
export const hashFilesOf = async (
  deps: HashDeps,
  step: StepContent,
  scope: Omit<Scope, 'budget' | 'hashFiles'>,
): Promise<Either<string, ReadonlyMap<string, string>>> => {
  const hashes = new Map<string, string>();
  const texts = textsOf(step);
  for (;;) {
    const missing = new Set<string>();
    const hashFiles = (patterns: readonly string[]): string | undefined => {
      const key = JSON.stringify(patterns);
      if (!hashes.has(key) && missing.size <= mostHashes) missing.add(key);
      return hashes.get(key);
    };
    const budget = openBudget();
    for (const text of texts) deps.expressions.interpolate(text, { ...scope, hashFiles, budget });
    if (missing.size === 0) return right(hashes);
    if (hashes.size + missing.size > mostHashes) return left(`A step may have ${mostHashes} values of hashFiles.`);
    for (const key of missing) {
      const hash = await hashOf(deps, JSON.parse(key) as readonly string[]);
      if (isLeft(hash)) return hash;
      hashes.set(key, hash.right);
    }
  }
};
