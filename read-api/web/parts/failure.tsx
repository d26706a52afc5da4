/** What could not be had, why, and what to do: in the server's own words. */
import type { Problem } from '../kernel/problem';

interface Props {
  readonly problem: Problem;
  readonly retry?: () => void;
}

const Faults = ({ problem: { errors } }: { readonly problem: Problem }) => (
  <ul>
    {errors.map(({ pointer, expected }) => (
      <li key={pointer}>
        <code>{pointer}</code> {expected === '' ? '' : `must be ${expected}`}
      </li>
    ))}
  </ul>
);

export const Failure = ({ problem, retry }: Props) => (
  <div class="notice bad" role="alert">
    <h2>{problem.title}</h2>
    <p>{problem.detail}</p>
    {problem.errors.length > 0 && <Faults problem={problem} />}
    {problem.requestId !== undefined && (
      <p class="reference">
        Request <code>{problem.requestId}</code>
      </p>
    )}
    {retry !== undefined && (
      <div class="actions">
        <button type="button" class="button small" onClick={retry}>
          Try again
        </button>
      </div>
    )}
  </div>
);
