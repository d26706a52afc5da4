/** Shows a loading skeleton, then the content or the problem. */
import type { ComponentChildren } from 'preact';
import type { Problem } from '../kernel/problem';
import { ProblemMessage } from './problem-message';

interface Source<Content> {
  readonly content: Content | undefined;
  readonly problem: Problem | undefined;
  readonly reload: () => void;
}

interface Props<Content> {
  readonly source: Source<Content>;
  /** Rows of the skeleton. */
  readonly rows?: number;
  readonly children: (content: Content) => ComponentChildren;
}

const Waiting = ({ rows }: { readonly rows: number }) => (
  <div class="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} />
    ))}
  </div>
);

/** Earlier content stays visible below the problem of a failed reload. */
export function AsyncContent<Content>({ source, rows = 6, children }: Props<Content>) {
  const { content, problem, reload } = source;
  // The shell signs in again after the session ended; the page waits.
  const hasProblem = problem !== undefined && problem.status !== 401;
  return (
    <>
      {hasProblem && <ProblemMessage problem={problem} retry={reload} />}
      {content !== undefined && children(content)}
      {content === undefined && !hasProblem && <Waiting rows={rows} />}
    </>
  );
}
