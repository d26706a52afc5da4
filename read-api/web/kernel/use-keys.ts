/** A page's own keys, for as long as it is in view. */
import { useEffect, useRef } from 'preact/hooks';
import { type Shortcut, shortcuts } from './keys';

export const useKeys = (own: readonly Shortcut[]): void => {
  const latest = useRef(own);
  latest.current = own;
  useEffect(() => {
    const added = latest.current.map(({ keys, label }, index) => ({
      keys,
      label,
      act: () => latest.current[index]?.act(),
    }));
    shortcuts.value = [...added, ...shortcuts.value];
    return () => {
      shortcuts.value = shortcuts.value.filter((shortcut) => !added.includes(shortcut as (typeof added)[number]));
    };
  }, []);
};
