/** Link from a page that must stay open, such as one that shows a secret once. */
import type { ComponentChildren } from 'preact';

interface Props {
  readonly href: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export const NewTabLink = ({ href, children, ...rest }: Props) => (
  <a href={href} target="_blank" rel="noreferrer" {...rest}>
    {children}
    <span class="hidden-text"> (opens in a new tab)</span>
  </a>
);
