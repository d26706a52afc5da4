/** Names that were stored before may have invisible characters: pages show each as U+FFFD, so that none looks like another or runs over its neighbours. */
/** Controls, direction marks and overrides, zero-width space, fillers and the like; joiners and variation selectors belong to spelling. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
const ofSpelling = /[\t\n\r\u200C\p{Variation_Selector}\u{E0021}-\u{E007F}]|\u200D/u;

const visibleText = (text: string): string =>
  text.replace(unseen, (character) => (ofSpelling.test(character) ? character : '\uFFFD'));

const visibleChild = (child: unknown): unknown => {
  if (typeof child === 'string') return visibleText(child);
  return Array.isArray(child) ? child.map(visibleChild) : child;
};

/** An element of a page, before it is rendered. */
interface RenderedElement {
  readonly type: unknown;
  readonly props: unknown;
}

/** In content, `title` and `aria-label` of an element. A component passes on to elements what it gets. */
export const showInvisibleCharacters = ({ type, props }: RenderedElement): void => {
  if (typeof type !== 'string') return;
  const textProps = props as { children?: unknown; title?: unknown; 'aria-label'?: unknown };
  for (const name of ['children', 'title', 'aria-label'] as const)
    if (textProps[name] !== undefined) textProps[name] = visibleChild(textProps[name]);
};
