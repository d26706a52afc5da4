/** Where somebody goes on after a page of ours: a path of our own, never another site. */
const shape = /^\/(?:oauth\/(?:authorize|logout)|account|device|consent|console)(?=[/?]|$)/;

/** A second slash or a backslash would make a host of what follows. */
export const ownPath = (given: string | undefined, otherwise = '/account'): string => {
  if (given === undefined || given.length > 8_192 || !shape.test(given)) return otherwise;
  if (/[\\\s\p{Cc}]/u.test(given) || given.startsWith('//')) return otherwise;
  const url = new URL(given, 'https://septet.invalid');
  if (url.origin !== 'https://septet.invalid' || !shape.test(url.pathname)) return otherwise;
  return `${url.pathname}${url.search}`;
};
