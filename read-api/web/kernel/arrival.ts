/** How the document was reached: one that a link of the console loaded is a page after another, and takes the focus as such. */

const key = 'septet-followed-link';

/** Before the browser loads the document of another page. */
export const noteFollowedLink = (): void => {
  try {
    sessionStorage.setItem(key, '');
  } catch {
    // Without storage the page begins at the top, as one that was typed.
  }
};

const takeFollowedLink = (): boolean => {
  try {
    const isFollowed = sessionStorage.getItem(key) !== null;
    sessionStorage.removeItem(key);
    return isFollowed;
  } catch {
    return false;
  }
};

const isTraversal = (): boolean =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'back_forward');

/** By a link of the console, or by the browser's Back and Forward. The first answer forgets the link. */
export const cameFromPage = (): boolean => takeFollowedLink() || isTraversal();
