/** Modal dialog; the browser traps the focus and restores it afterwards, and where it cannot, the page's heading gets it. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { focusAfterDialog } from '../kernel/focus';

interface Props {
  readonly title: string;
  /** Undefined: the dialog needs an answer. */
  readonly close?: () => void;
  readonly children: ComponentChildren;
}

export const Dialog = ({ title, close, children }: Props) => {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const { current } = element;
    current?.showModal();
    // Only `close` restores the focus, so it runs before the element is removed.
    return () => {
      current?.close();
      queueMicrotask(focusAfterDialog);
    };
  }, []);
  const cancel = (event: Event): void => {
    event.preventDefault();
    close?.();
  };
  return (
    <dialog ref={element} aria-labelledby={id} onCancel={cancel}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
};
