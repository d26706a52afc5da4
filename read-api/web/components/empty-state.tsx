/** Placeholder of an empty list; explains how entries come about. */
import type { ComponentChildren } from 'preact';

export const EmptyState = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children !== undefined && <p>{children}</p>}
  </div>
);
