/** Something to be answered before anything else; the browser keeps the focus in it and gives it back. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface Props {
  readonly title: string;
  /** Undefined: it cannot be left unanswered. */
  readonly close?: () => void;
  readonly children: ComponentChildren;
}

export const Dialog = ({ title, close, children }: Props) => {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const { current } = element;
    current?.showModal();
    // Taken away without being closed, it would not give the focus back.
    return () => current?.close();
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
