/** Whether the palette is open, and the keys that open it. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export const isPaletteOpen = signal(false);

export const openPalette = (): void => {
  isPaletteOpen.value = true;
};

export const closePalette = (): void => {
  isPaletteOpen.value = false;
};

/** Also while typing: no text is made with these keys. Another dialog has to be answered first. */
export const usePaletteKey = (): void =>
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || altKey || shiftKey) return;
      if (!isPaletteOpen.value && document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      isPaletteOpen.value = !isPaletteOpen.value;
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);

/** As the keyboard of this machine names it. */
export const paletteKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ K' : 'Ctrl K';
