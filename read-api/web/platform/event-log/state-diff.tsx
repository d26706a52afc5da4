/** What an event changed in its aggregate: the differences, then both states. */
import { JsonView, jsonText } from '../../components/json-view';
import type { OneEvent, StateChange } from '../api-types';

const words = { add: 'Added', remove: 'Removed', replace: 'Changed' } as const;

const Difference = ({ change: { op, path, was, value } }: { readonly change: StateChange }) => (
  <li>
    <p class="where">
      <span class="mono">{path === '' ? 'everything' : path}</span>
      <span class="faint">{words[op]}</span>
    </p>
    {op !== 'add' && (
      <pre class="before">
        <span class="hidden-text">Before: </span>
        {jsonText(was)}
      </pre>
    )}
    {op !== 'remove' && (
      <pre class="after">
        <span class="hidden-text">After: </span>
        {jsonText(value)}
      </pre>
    )}
  </li>
);

const Differences = ({ changes }: { readonly changes: readonly StateChange[] }) => (
  <ul class="changes">
    {changes.map((change) => (
      <Difference key={change.path} change={change} />
    ))}
  </ul>
);

const States = ({ before, after }: Pick<OneEvent, 'before' | 'after'>) => (
  <div class="columns section">
    <section>
      <h2>State before</h2>
      <JsonView value={before} label="State before" />
    </section>
    <section>
      <h2>State after</h2>
      <JsonView value={after} label="State after" />
    </section>
  </div>
);

export const StateDiff = ({ found }: { readonly found: OneEvent }) => {
  const { changes, stateOmitted, before, after } = found;
  return (
    <>
      <section class="section">
        <h2>What it changed</h2>
        {stateOmitted !== undefined && <p class="notice">{stateOmitted}</p>}
        {changes?.length === 0 && <p class="notice">The state is the same before and after.</p>}
        {changes !== undefined && changes.length > 0 && <Differences changes={changes} />}
      </section>
      {changes !== undefined && <States before={before} after={after} />}
    </>
  );
};
