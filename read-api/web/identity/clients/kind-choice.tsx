/** The first question of a registration: what kind of application it is. */
import { clientKinds, type KindName, kindNames } from './client-kinds';

interface Props {
  readonly chosen: KindName | undefined;
  readonly onChoose: (kind: KindName) => void;
}

export const KindChoice = ({ chosen, onChoose }: Props) => (
  <fieldset class="kinds">
    <legend>What kind of application is it?</legend>
    {kindNames.map((kind) => (
      <label key={kind} class="kind">
        <input
          type="radio"
          name="kind"
          value={kind}
          checked={kind === chosen}
          aria-describedby={`kind-${kind}`}
          onChange={() => onChoose(kind)}
        />
        <span class="name">{clientKinds[kind].label}</span>
        <span class="help" id={`kind-${kind}`}>
          {clientKinds[kind].text}
        </span>
      </label>
    ))}
  </fieldset>
);
