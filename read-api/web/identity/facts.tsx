/** What is known of one thing, name by name. */
import type { ComponentChildren } from 'preact';

export type Fact = readonly [name: string, value: ComponentChildren];

export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
