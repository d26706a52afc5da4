/** Toasts: announced without moving the focus; each disappears after a while unless the pointer or the focus is on it. */
import { useEffect, useId, useState } from 'preact/hooks';
import { dismissToast, type Toast, toasts } from '../kernel/toasts';

const displayMilliseconds = 8_000;

const ToastMessage = ({ toast: { id, text } }: { readonly toast: Toast }) => {
  const textId = useId();
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => dismissToast(id), displayMilliseconds);
    return () => clearTimeout(timer);
  }, [id, isHeld]);
  return (
    <li
      class="toast"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <span id={textId}>{text}</span>
      <button type="button" class="button quiet small" aria-describedby={textId} onClick={() => dismissToast(id)}>
        Dismiss
      </button>
    </li>
  );
};

/** Stays in the document: screen readers announce only what changes in a region that they know. */
export const ToastRegion = () => (
  <section class="toasts" aria-label="Notifications">
    <ol aria-live="polite" aria-relevant="additions">
      {toasts.value.map((toast) => (
        <ToastMessage key={toast.id} toast={toast} />
      ))}
    </ol>
  </section>
);
