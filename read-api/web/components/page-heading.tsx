/** Heading of a page. Navigation moves the focus here for keyboards and screen readers. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { focusDueHeading } from '../kernel/focus';

export interface Crumb {
  readonly label: ComponentChildren;
  readonly path: string;
}

interface Props {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly trail?: readonly Crumb[];
  readonly children?: ComponentChildren;
}

const Trail = ({ trail }: { readonly trail: readonly Crumb[] }) => (
  <nav class="trail" aria-label="Where this is">
    {trail.map(({ label, path }, index) => (
      <span key={path}>
        {index > 0 && ' / '}
        <a href={path}>{label}</a>
      </span>
    ))}
  </nav>
);

export const PageHeading = ({ title, lead, trail, children }: Props) => {
  useEffect(() => {
    document.title = `${title} · Septet`;
  }, [title]);
  useEffect(focusDueHeading, []);
  return (
    <header class="heading">
      <div>
        {trail !== undefined && <Trail trail={trail} />}
        <h1 tabIndex={-1}>{title}</h1>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </div>
      {children !== undefined && <div class="actions">{children}</div>}
    </header>
  );
};
