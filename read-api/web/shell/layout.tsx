/** Layout of every page: header, sidebar, focus and the shell's shortcuts. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ToastRegion } from '../components/toast-region';
import { TooltipLayer } from '../components/tooltip';
import { cameFromPage } from '../kernel/arrival';
import { focusNextHeading } from '../kernel/focus';
import { useKeyboardShortcuts } from '../kernel/keyboard-shortcuts';
import { navigate, place } from '../kernel/router';
import type { Who } from '../kernel/session';
import { nextTheme } from '../kernel/theme';
import type { Link } from './navigation';
import { Outlet } from './outlet';
import { CommandPalette } from './palette/command-palette';
import { usePaletteKey } from './palette/palette-state';
import { sectionsFor } from './sections';
import { ShortcutsHelp } from './shortcuts-help';
import { Sidebar } from './sidebar';

const moveRow = (step: 1 | -1): void => {
  const links = [...document.querySelectorAll<HTMLElement>('main tbody th a, main .tree a, main .places a')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? (step === 1 ? 0 : links.length - 1) : at + step;
  links[next]?.focus();
};

const goes = ({ path, label, key }: Link) => ({ keys: `g ${key}`, label: `Go to ${label}`, act: () => navigate(path) });

const useShellKeys = (who: Who, help: () => void): void =>
  useKeyboardShortcuts([
    { keys: '?', label: 'Show keyboard shortcuts', act: help },
    { keys: '/', label: 'Search', act: () => document.querySelector<HTMLElement>('main input[type=search]')?.focus() },
    { keys: 'j', label: 'Next row', act: () => moveRow(1) },
    { keys: 'k', label: 'Previous row', act: () => moveRow(-1) },
    { keys: 'c t', label: 'Change the theme', act: nextTheme },
    ...sectionsFor(who).flatMap(({ links }) => links.map(goes)),
  ]);

/** Not on the first page, unless it follows another: browsers start at the top. */
const useFocusOnMove = (path: string): void => {
  const before = useRef(path);
  useEffect(() => {
    if (cameFromPage()) focusNextHeading();
  }, []);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    scrollTo(0, 0);
    focusNextHeading();
  }, [path]);
};

export const Layout = ({ who }: { readonly who: Who }) => {
  const [isHelping, setHelping] = useState(false);
  const { path } = place.value;
  useShellKeys(who, () => setHelping(true));
  useFocusOnMove(path);
  usePaletteKey();
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <div class="frame">
        <Sidebar who={who} path={path} help={() => setHelping(true)} />
        <main id="content" tabIndex={-1}>
          <Outlet who={who} />
        </main>
      </div>
      <ToastRegion />
      <TooltipLayer />
      <CommandPalette who={who} />
      {isHelping && <ShortcutsHelp close={() => setHelping(false)} />}
    </>
  );
};
