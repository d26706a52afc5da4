/** A form that opens within a page takes the focus to its first field, as a dialog does. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** For the element around the fields. */
export const useFirstField = <Around extends HTMLElement>(): RefObject<Around | null> => {
  const around = useRef<Around>(null);
  useEffect(() => around.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);
  return around;
};
