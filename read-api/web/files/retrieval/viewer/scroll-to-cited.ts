/** Scrolls the cited element into view when it is first shown, and when another one is cited. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** `key`: of the citation; a change of it scrolls again. */
export const useScrollToCited = <Element extends HTMLElement>(key: string): RefObject<Element | null> => {
  const element = useRef<Element>(null);
  useEffect(() => element.current?.scrollIntoView({ block: 'center' }), [key]);
  return element;
};
