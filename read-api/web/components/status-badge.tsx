/** Label of a state, which never depends on the colour alone. */
import type { ComponentChildren } from 'preact';

export type Tone = 'plain' | 'good' | 'warn' | 'bad';

export const StatusBadge = ({
  tone = 'plain',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ComponentChildren;
}) => <span class={tone === 'plain' ? 'tag' : `tag ${tone}`}>{children}</span>;
