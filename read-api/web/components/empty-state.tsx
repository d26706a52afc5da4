/** Says that there is nothing, and when there would be something. */
import type { ComponentChildren } from 'preact';

export const EmptyState = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children !== undefined && <p>{children}</p>}
  </div>
);
