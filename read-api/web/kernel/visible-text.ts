/** Names that were stored before may have invisible characters: pages show each as U+FFFD, so that none looks like another or runs over its neighbours. */
import { options, type VNode } from 'preact';

/** Controls, direction marks and overrides, zero-width space, fillers and the like; joiners and variation selectors belong to spelling. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
const ofSpelling = /[\t\n\r\u200C\p{Variation_Selector}\u{E0021}-\u{E007F}]|\u200D/u;

const visibleText = (text: string): string =>
  text.replace(unseen, (character) => (ofSpelling.test(character) ? character : '\uFFFD'));

const shown = (child: unknown): unknown => {
  if (typeof child === 'string') return visibleText(child);
  return Array.isArray(child) ? child.map(shown) : child;
};

/** Before the first page is rendered; in content, `title` and `aria-label`. Elements only: a component passes on to elements what it gets. */
export const showInvisibleCharacters = (): void => {
  const before = options.vnode;
  options.vnode = (node: VNode) => {
    if (typeof node.type === 'string') {
      const props = node.props as { children?: unknown; title?: unknown; 'aria-label'?: unknown };
      for (const name of ['children', 'title', 'aria-label'] as const)
        if (props[name] !== undefined) props[name] = shown(props[name]);
    }
    before?.(node);
  };
};
