/** Entry point of the page that plays shared videos without sign-in: the player, and nothing of the console. */
import '@fontsource-variable/geist/wght.css';
import './styles/watch.css';
import { options, render } from 'preact';
import { startKeyboardShortcuts } from './kernel/keyboard-shortcuts';
import { showInvisibleCharacters } from './kernel/visible-text';
import { preloadEngine } from './video/player/engine/open-engine';
import { sharedVideoOf } from './video/shared/shared-address';
import { SharedWatchPage } from './video/shared/shared-watch-page';

// While the playback is requested.
preloadEngine();
startKeyboardShortcuts();
// Another link was pasted: the fragment alone loads no document.
addEventListener('hashchange', () => location.reload());
const { vnode } = options;
options.vnode = (node) => {
  showInvisibleCharacters(node);
  vnode?.(node);
};
render(<SharedWatchPage shared={sharedVideoOf(location)} />, document.getElementById('root') as HTMLElement);
