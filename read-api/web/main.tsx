/** Entry point of the console. */
import '@fontsource-variable/geist/wght.css';
import '@fontsource-variable/geist-mono/wght.css';
import './styles/main.css';
import { options, render } from 'preact';
import { startFocusKeeper } from './kernel/focus';
import { startKeyboardShortcuts } from './kernel/keyboard-shortcuts';
import { startClock } from './kernel/now';
import { startRouter } from './kernel/router';
import { resume } from './kernel/session';
import { showInvisibleCharacters } from './kernel/visible-text';
import { App } from './shell/app';
import { needsOwnDocument } from './shell/page-policy';
import { sectionList } from './shell/section-list';

startRouter(needsOwnDocument(sectionList, location.pathname));
startClock();
startKeyboardShortcuts();
startFocusKeeper();
// Signals have a hook of their own here.
const { vnode } = options;
options.vnode = (node) => {
  showInvisibleCharacters(node);
  vnode?.(node);
};
void resume();
render(<App />, document.getElementById('root') as HTMLElement);
