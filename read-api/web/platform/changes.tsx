/** What an event changed in its aggregate: the differences first, both states whole below. */
import { Json, jsonText } from '../parts/json';
import type { OneEvent, StateChange } from './wire';

const words = { add: 'Added', remove: 'Removed', replace: 'Changed' } as const;

const short = (value: unknown): string => (value === undefined ? '—' : jsonText(value));

const Differences = ({ changes }: { readonly changes: readonly StateChange[] }) => (
  <div class="table changes">
    <table>
      <caption class="hidden-text">Differences</caption>
      <thead>
        <tr>
          <th scope="col">Where</th>
          <th scope="col" class="wide">
            What
          </th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ op, path, was, value }) => (
          <tr key={path}>
            <th scope="row" class="mono">
              {path === '' ? 'everything' : path}
            </th>
            <td class="wide">{words[op]}</td>
            <td class="mono before">{short(was)}</td>
            <td class="mono after">{short(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const States = ({ before, after }: Pick<OneEvent, 'before' | 'after'>) => (
  <div class="columns section">
    <section>
      <h2>State before</h2>
      <Json value={before} label="State before" />
    </section>
    <section>
      <h2>State after</h2>
      <Json value={after} label="State after" />
    </section>
  </div>
);

export const Changes = ({ found }: { readonly found: OneEvent }) => {
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
