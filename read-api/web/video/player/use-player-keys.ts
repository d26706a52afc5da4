/** Keys of the player, and their lines in the sheet of shortcuts. */
import { useEffect, useRef } from 'preact/hooks';
import { shortcutsDisabled, useKeyboardShortcuts } from '../../kernel/keyboard-shortcuts';

export interface PlayerActions {
  readonly toggle: () => void;
  /** By seconds. */
  readonly skip: (seconds: number) => void;
  /** To a share of the film, from 0 to 1. */
  readonly seekTo: (share: number) => void;
  /** By a share. */
  readonly changeVolume: (share: number) => void;
  readonly toggleMute: () => void;
  readonly toggleFull: () => void;
  readonly toggleCaptions: () => void;
}

const skipSeconds = 10;
const arrowSeconds = 5;
const volumeStep = 0.05;

/** What has a use of its own for a key keeps it. */
const usesKey = (target: EventTarget | null, key: string): boolean => {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('dialog, textarea, select, [contenteditable]') !== null) return true;
  const input = target.closest('input');
  if (input !== null)
    return !(input.type === 'range' && input.closest('.player-seek') !== null && key !== 'Home' && key !== 'End');
  return key === ' ' && target.closest('button, a, summary') !== null;
};

const isInPlayer = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.player') !== null;

/** Undefined: the key does nothing here. Up and down scroll the page outside of the player. */
const actionOf = ({ key, target }: KeyboardEvent, act: PlayerActions): (() => void) | undefined => {
  if (key === ' ') return act.toggle;
  if (key === 'ArrowLeft') return () => act.skip(-arrowSeconds);
  if (key === 'ArrowRight') return () => act.skip(arrowSeconds);
  if (key === 'ArrowUp' && isInPlayer(target)) return () => act.changeVolume(volumeStep);
  if (key === 'ArrowDown' && isInPlayer(target)) return () => act.changeVolume(-volumeStep);
  return /^[0-9]$/.test(key) && !shortcutsDisabled.value ? () => act.seekTo(Number(key) / 10) : undefined;
};

export const usePlayerKeys = (actions: PlayerActions): void => {
  const latest = useRef(actions);
  latest.current = actions;
  const noop = (): void => undefined;
  useKeyboardShortcuts([
    { keys: 'k', label: 'Play or pause', act: () => latest.current.toggle() },
    { keys: 'j', label: 'Back 10 seconds', act: () => latest.current.skip(-skipSeconds) },
    { keys: 'l', label: 'Forward 10 seconds', act: () => latest.current.skip(skipSeconds) },
    { keys: 'm', label: 'Sound on or off', act: () => latest.current.toggleMute() },
    { keys: 'f', label: 'Full screen on or off', act: () => latest.current.toggleFull() },
    { keys: 'c', label: 'Captions on or off', act: () => latest.current.toggleCaptions() },
    // These are handled below; here they are lines of the sheet.
    { keys: 'Space', label: 'Play or pause the film', act: noop },
    { keys: '←/→', label: 'Back or forward 5 seconds', act: noop },
    { keys: '↑/↓', label: 'Louder or quieter, in the player', act: noop },
    { keys: '0–9', label: 'To a tenth of the film', act: noop },
  ]);
  useEffect(() => {
    const leaving = new AbortController();
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
        if (usesKey(event.target, event.key) || document.querySelector('dialog[open]') !== null) return;
        const action = actionOf(event, latest.current);
        if (action === undefined) return;
        event.preventDefault();
        action();
      },
      { signal: leaving.signal },
    );
    return () => leaving.abort();
  }, []);
};
